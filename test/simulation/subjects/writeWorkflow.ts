import type { INodeParameters } from 'n8n-workflow';

import type { StoredWorkflow } from '../world/workflows';
import type { PlannedWrites } from './writePlan';

/** Event that the people are registered for. The sandbox has it from the start. */
export const EVENT_ID = 1004;

/** Kinds of the mapped fields of a contact. */
export const CONTACT_KINDS = {
	Email: 'text',
	MemberNumber: 'text',
	LastName: 'text',
	Employees: 'number',
};

const byId = (value: number) => ({ __rl: true, mode: 'id', value: `${value}` });
const mapped = { mappingMode: 'autoMapInputData', value: null, schema: [] };

/** Returns the parameters of the node that writes. `list` is the contact list. */
function parametersFor(
	planned: PlannedWrites,
	list: number,
	expectsPlan: boolean,
): INodeParameters & { options: INodeParameters } {
	const { operation, matchBy, missing, maxRemovals, maxChanges, tries, batchSize } = planned;
	const options: INodeParameters = { tries };
	const common = { details: mapped as unknown as INodeParameters, options };
	const contact = { resource: 'contact', contactListId: byId(list), ...common };
	const registration = { resource: 'registration', eventId: byId(EVENT_ID), ...common };
	const email = '={{ $json.Email }}';
	switch (operation) {
		case 'sync':
			Object.assign(options, {
				...(maxRemovals !== undefined && { maxRemovals }),
				...(maxChanges !== undefined && { maxChanges }),
				...(expectsPlan && { expectedPlan: '={{ $json.expected }}' }),
			});
			return {
				...contact,
				operation: 'sync',
				email,
				matchBy,
				missing,
				mode: '={{ $json.mode }}',
				show: 'all',
			};
		case 'upsertContact':
			return { ...contact, operation: 'createOrUpdate', email };
		case 'addContacts':
			options.contactsPerRequest = batchSize;
			return { ...contact, operation: 'add' };
		case 'upsertRegistration':
			return { ...registration, operation: 'createOrUpdate', email };
		case 'register':
			return { ...registration, operation: 'create' };
		case 'sms':
			return {
				resource: 'phoneVerification',
				operation: 'start',
				phoneNumber: '={{ $json.Phone }}',
				options,
			};
	}
}

/** Returns the workflow: a start, the node that writes, and nodes that record its outputs. */
export function toStoredWorkflow(
	id: string,
	planned: PlannedWrites,
	list: number,
	expectsPlan: boolean,
): StoredWorkflow {
	const { operation, onError, retryOnFail } = planned;
	return {
		id,
		nodes: [
			{ name: 'Start', type: 'start' },
			{
				name: 'Write',
				type: operation === 'sms' ? 'TwoFactor' : 'EventRegistration',
				parameters: parametersFor(planned, list, expectsPlan),
				onError: onError as 'stopWorkflow',
				...(retryOnFail && { retryOnFail, maxTries: 3, waitBetweenTries: 1000 }),
			},
			{ name: 'Next', type: 'record' },
			{ name: 'Failed', type: 'record' },
		],
		connections: {
			Start: { main: [[{ node: 'Write', type: 'main', index: 0 }]] },
			Write: {
				main: ['Next', 'Failed'].map((node) => [{ node, type: 'main' as const, index: 0 }]),
			},
		},
	};
}

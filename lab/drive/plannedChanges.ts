import type { IDataObject } from 'n8n-workflow';

import type { Random } from '../../sandbox/random';
import type { Sandbox } from '../../sandbox/server';
import type { Lab } from '../lab';
import { waitFor } from './flows';
import { connectTo, publishWorkflow, oneSecondWaitNode } from './workflowParts';

/** One change at a service that should start a workflow. */
export interface PlannedChange {
	/** Makes the change. Returns its name, as `nameChange` returns it for the item that starts the workflow. */
	apply(): Promise<string>;
}

const EVENT_ID = '1004';
const DATA_EVENT_ID = 'evt_1004';

/**
 * Returns the name of a change, from the item that starts the workflow. The name is unique, since each record changes once.
 */
export const changeNameOf = ({ change, record, ...item }: IDataObject): string => {
	const id =
		item.id ??
		item.TransactionId ??
		item.OrderId ??
		item.RegistrationId ??
		item.ContactId ??
		item.ConfirmationCode;
	return `${record as string} ${id as string} ${change as string}`;
};

/** Creates people at both services and returns changes to them, and further new people, in random order. */
export async function planChanges(
	{ control }: Sandbox,
	random: Random,
	countPerKind: number,
): Promise<PlannedChange[]> {
	const controlRegistration = async (action: string, input: IDataObject) =>
		(await control('eventRegistration', action, { eventId: EVENT_ID, ...input })) as IDataObject;
	const controlData = async (action: string, input: IDataObject) =>
		(await control('eventData', action, input)) as IDataObject;
	let personCount = 0;
	const nextPersonName = () => `person${++personCount}`;
	const register = async () => {
		const name = nextPersonName();
		return await controlRegistration('register', {
			FirstName: name,
			LastName: 'Crowd',
			Email: `${name}@email.example`,
		});
	};
	const addAttendee = async () => {
		const name = nextPersonName();
		return await controlData('addAttendee', {
			eventId: DATA_EVENT_ID,
			firstName: name,
			lastName: 'Crowd',
			email: `${name}@email.example`,
		});
	};
	const changes: PlannedChange[] = [];
	const plan = (apply: () => Promise<string>) => changes.push({ apply });
	for (let index = 0; index < countPerKind; index++) {
		const registrationToUpdate = await register();
		const registrationToCheckIn = await register();
		const attendeeToCancel = await addAttendee();
		plan(async () => `registration ${(await register()).RegistrationId as number} created`);
		plan(async () => {
			const { RegistrationId: registrationId } = registrationToUpdate;
			await controlRegistration('changeRegistration', { registrationId, MobilePhone: '+15550100' });
			return `registration ${registrationId as number} updated`;
		});
		plan(async () => {
			const { RegistrationId: registrationId, ConfirmationCode } = registrationToCheckIn;
			await controlRegistration('checkIn', { registrationId });
			return `attendance ${ConfirmationCode as string} checkedIn`;
		});
		plan(async () => `attendee ${(await addAttendee()).id as string} created`);
		plan(async () => {
			await controlData('changeAttendee', { attendeeId: attendeeToCancel.id, status: 'cancelled' });
			return `attendee ${attendeeToCancel.id as string} statusChanged`;
		});
	}
	return changes
		.map((change) => ({ change, order: random.next() }))
		.sort((a, b) => a.order - b.order)
		.map(({ change }) => change);
}

const triggers = {
	registration: {
		type: 'eventRegistrationTrigger',
		credential: 'eventRegistrationApi',
		triggerOn: ['registrationCreated', 'registrationUpdated', 'checkedIn'],
		event: EVENT_ID,
	},
	data: {
		type: 'eventDataTrigger',
		credential: 'eventDataApi',
		triggerOn: ['attendeeCreated', 'attendeeStatusChanged'],
		event: DATA_EVENT_ID,
	},
};

/**
 * Creates and activates one workflow for each of the two services. After its trigger, each works for a second, so that a
 * kill finds a running execution.
 */
export async function publishListTriggerWorkflows(
	lab: Lab,
): Promise<Record<string, { workflowId: string }>> {
	const entries = Object.entries(triggers).map(async ([name, trigger], index) => {
		const workflowId = await publishWorkflow(
			lab.rest,
			{
				name: `Changes of ${name}`,
				nodes: [
					{
						id: `33333333-0000-4000-8000-00000000000${index}`,
						name: 'Changed',
						type: `n8n-nodes-gatehouse.${trigger.type}`,
						typeVersion: 1,
						position: [0, 0],
						credentials: { [trigger.credential]: {} },
						parameters: {
							triggerOn: trigger.triggerOn,
							eventId: { __rl: true, mode: 'id', value: trigger.event },
							options: { pollingInterval: 10 },
						},
					},
					oneSecondWaitNode(`work-${name}`),
				],
				connections: { Changed: connectTo('Work') },
			},
			lab.credentials,
		);
		return [name, { workflowId }] as const;
	});
	const workflows = Object.fromEntries(await Promise.all(entries));
	// n8n reports a workflow as published before its trigger has polled.
	for (const list of ['/registrations', '/attendance', '/attendees']) {
		await waitFor(60_000, async () =>
			lab.sandbox.requestLog.entries().find(({ path }) => path.endsWith(list)),
		);
	}
	return workflows;
}

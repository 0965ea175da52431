import { NodeConnectionTypes } from 'n8n-workflow';
import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeType,
	INodeTypeDescription,
	ITriggerFunctions,
	ITriggerResponse,
} from 'n8n-workflow';

import { verifyCredential } from '../engine/http/verifyCredential';
import { triggerOnSubtitle } from '../engine/panel/subtitle';
import { listTriggerPanel } from '../engine/trigger/lists/description';
import { startListTrigger } from '../engine/trigger/lists/startListTrigger';
import { triggerListSearchMethods } from './pickLists';
import { probe, service } from './service';
import { changeKinds } from './trigger/changeKinds';
import { definition } from './trigger/definition';
import { eventRegistrationTriggerProperties } from './trigger/properties';

export class EventRegistrationTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Event Registration Trigger',
		name: 'eventRegistrationTrigger',
		icon: { light: 'file:eventRegistration.svg', dark: 'file:eventRegistration.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: triggerOnSubtitle(changeKinds.options),
		description:
			'Register people for events, manage contacts, and start workflows when people register, check in or pay',
		eventTriggerDescription: 'Looking for the newest record',
		activationMessage: 'Your workflow now runs once for each change you selected.',
		builderHint: {
			searchHint:
				'Starts a workflow once for each person who registers, checks in or pays, and for changes. No webhook is needed.',
		},
		defaults: { name: 'Event Registration Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{ name: 'eventRegistrationApi', required: true, testedBy: 'eventRegistrationApiTest' },
		],
		triggerPanel: listTriggerPanel('someone registers, checks in or pays'),
		properties: eventRegistrationTriggerProperties,
	};

	methods = {
		credentialTest: {
			async eventRegistrationApiTest(
				this: ICredentialTestFunctions,
				credential: ICredentialsDecrypted,
			) {
				return await verifyCredential(this, credential, service, probe);
			},
		},
		listSearch: triggerListSearchMethods,
	};

	async trigger(this: ITriggerFunctions): Promise<ITriggerResponse> {
		return await startListTrigger(this, definition);
	}
}

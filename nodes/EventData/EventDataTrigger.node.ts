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
import { listSearchMethods } from './pickLists';
import { probe, service } from './service';
import { changeKinds } from './trigger/changeKinds';
import { definition } from './trigger/definition';
import { eventDataTriggerProperties } from './trigger/properties';

export class EventDataTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Event Data Trigger',
		name: 'eventDataTrigger',
		icon: { light: 'file:eventData.svg', dark: 'file:eventData.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: triggerOnSubtitle(changeKinds.options),
		description:
			'Work with events, attendees and sessions (IDs such as evt_1004), and start workflows when they change',
		eventTriggerDescription: 'Looking for the newest record',
		activationMessage: 'Your workflow now runs once for each change you selected.',
		builderHint: {
			searchHint:
				'Starts a workflow once for each attendee, registration, session or event that is new or has changed. No webhook is needed.',
		},
		defaults: { name: 'Event Data Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'eventDataApi', required: true, testedBy: 'eventDataApiTest' }],
		triggerPanel: listTriggerPanel('attendees, registrations, sessions or events change'),
		properties: eventDataTriggerProperties,
	};

	methods = {
		credentialTest: {
			async eventDataApiTest(this: ICredentialTestFunctions, credential: ICredentialsDecrypted) {
				return await verifyCredential(this, credential, service, probe);
			},
		},
		listSearch: listSearchMethods,
	};

	async trigger(this: ITriggerFunctions): Promise<ITriggerResponse> {
		return await startListTrigger(this, definition);
	}
}

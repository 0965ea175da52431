import type { IDataObject, INode } from 'n8n-workflow';

import { eventRegistration } from '../../../../sandbox/eventRegistration';
import { locateById } from '../../../support/locators';
import { sendDirectly } from '../../../support/samples/sample';
import { openForAllTests } from '../../../support/sandbox';
import { useRig } from '../../../support/sandboxRig';
import { startFaultProxy } from './faultProxy';

/** Parameters of a Sync besides those of the list. */
export interface SyncParameters {
	mode?: 'preview' | 'apply';
	missing?: 'leave' | 'report' | 'remove';
	show?: 'all' | 'changes' | 'summary';
	matchBy?: string;
	options?: object;
}

/** Provides a sandbox behind a proxy, and helpers for contact lists and Sync. */
export function useSync() {
	const rig = useRig({ services: [eventRegistration], registrations: 10, contacts: 20 });
	const proxy = openForAllTests(
		async () => await startFaultProxy(() => new URL(rig.sandbox.url).origin),
	);
	beforeEach(() => {
		proxy.decide(() => 'pass');
		const { pathname } = new URL(rig.sandbox.addresses.eventRegistration);
		rig.kit.credentialData.eventRegistrationApi!.baseUrl = proxy.url + pathname.replace(/\/$/, '');
	});
	const makeListPath = (listId: number) => `/api/v1/contactlists/${listId}`;
	const send = async <T>(urlPath: string, body?: unknown) =>
		await sendDirectly<T>(rig, 'eventRegistration', urlPath, body);
	const countRequests = (operation: string) =>
		rig.sandbox.requestLog.count('eventRegistration', operation);
	return {
		rig,
		/** The proxy through which the nodes reach the sandbox. */
		proxy,
		/** Creates a list with contacts that were added before now, and clears the request log. */
		createList: async (contacts: IDataObject[] = []): Promise<number> => {
			const { ContactListId } = await send<{ ContactListId: number }>('/api/v1/contactlists', {
				Name: 'Members',
			});
			if (contacts.length > 0) await send(`${makeListPath(ContactListId)}/contacts`, contacts);
			rig.sandbox.clock.advance(2000);
			rig.sandbox.requestLog.clear();
			return ContactListId;
		},
		/** Returns the contacts of a list as the service has them. */
		readContacts: async (listId: number): Promise<IDataObject[]> =>
			await send(`${makeListPath(listId)}/contacts?pageSize=200`),
		/** Performs an action in the sandbox, as another user of the service would. */
		performAction: (action: string, input: IDataObject) =>
			rig.sandbox.control('eventRegistration', action, input),
		countRequests,
		/** Returns the number of batches added, of updates and of removals. */
		countWrites: () => ['addContacts', 'updateContact', 'removeContact'].map(countRequests),
		/** Runs Sync of a list with one attempt per request, unless `options` has another number. */
		sync: async (
			listId: number,
			people: IDataObject[],
			{ options = {}, ...parameters }: SyncParameters = {},
			node: Partial<INode> = {},
		) =>
			await rig.run(
				'eventRegistration',
				{
					resource: 'contact',
					operation: 'sync',
					contactListId: locateById(listId),
					email: '={{ $json.Email }}',
					details: { mappingMode: 'autoMapInputData', value: null, schema: [] },
					...parameters,
					options: { tries: 1, ...options },
				},
				people,
				node,
			),
	};
}

import type { IDataObject, INode } from 'n8n-workflow';

import { eventRegistration } from '../../../../sandbox/eventRegistration';
import { sendDirectly } from '../../../support/samples/sample';
import { openForAllTests } from '../../../support/sandbox';
import { useRig } from '../../../support/sandboxRig';
import { locateById } from '../samples';
import { startFaultProxy } from './faultProxy';

/** Parameters of a Sync besides those of the list. */
export interface SyncParameters {
	mode?: 'preview' | 'apply';
	missing?: 'leave' | 'report' | 'remove';
	show?: 'all' | 'changes' | 'summary';
	matchBy?: string;
	options?: object;
}

/** Provides a sandbox with the contact lists of a test, and the operation. */
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
	const listPath = (listId: number) => `/api/v1/contactlists/${listId}`;
	const send = async <T>(urlPath: string, body?: unknown) =>
		await sendDirectly<T>(rig, 'eventRegistration', urlPath, body);
	const count = (operation: string) => rig.sandbox.requestLog.count('eventRegistration', operation);
	return {
		rig,
		/** The proxy through which the nodes reach the sandbox. */
		proxy,
		/** Creates a list with contacts that were added before now, and clears the request log. */
		list: async (contacts: IDataObject[] = []): Promise<number> => {
			const { ContactListId } = await send<{ ContactListId: number }>('/api/v1/contactlists', {
				Name: 'Members',
			});
			if (contacts.length > 0) await send(`${listPath(ContactListId)}/contacts`, contacts);
			rig.sandbox.clock.advance(2000);
			rig.sandbox.requestLog.clear();
			return ContactListId;
		},
		/** Returns the contacts of a list as the service has them. */
		contacts: async (listId: number): Promise<IDataObject[]> =>
			await send(`${listPath(listId)}/contacts?pageSize=200`),
		control: (action: string, input: IDataObject) =>
			rig.sandbox.control('eventRegistration', action, input),
		count,
		/** The numbers of batches added, updates and removals. */
		writes: () => ['addContacts', 'updateContact', 'removeContact'].map(count),
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

import type { IDataObject } from 'n8n-workflow';

import { known, samples } from '../../nodes/EventRegistration/samples';
import type { House } from '../house';
import { ask } from './sample';
import type { Sample } from './sample';

/** The records whose IDs depend on the season. */
async function find(house: House) {
	const list = `/api/v1/contactlists/${known.contactListId}/contacts?pageSize=1`;
	const [contact] = await ask<IDataObject[]>(house, 'eventRegistration', list);
	const transactions = '/api/v1/transactions?pageSize=1';
	const [transaction] = await ask<IDataObject[]>(house, 'eventRegistration', transactions);
	return {
		contactId: contact!.ContactId as number,
		transactionId: transaction!.TransactionId as number,
	};
}

/** Every operation of the event registration node. */
export const eventRegistrationSamples: Sample[] = samples({ contactId: 0, transactionId: 0 }).map(
	({ resource, operation, shows }, index) => ({
		node: 'eventRegistration',
		resource,
		operation,
		shows,
		parameters: async (house) => samples(await find(house))[index]!.parameters,
	}),
);

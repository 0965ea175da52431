import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { BadInput, toNodeError } from '../engine/errors';
import { withNoneRow } from '../engine/panel/pickLists';
import { normalizeForSearch } from '../engine/values/normalize';
import { findCountries } from './countries';
import { requireValidPeople } from './people';
import { NO_COUNTRY } from './phoneFields';
import { service } from './service';

export const listSearchMethods = {
	/** Lists the people whom the credential names, since the service has no list of its users. */
	async searchPeople(this: ILoadOptionsFunctions, filter = ''): Promise<INodeListSearchResult> {
		return { results: await findPeople(this, normalizeForSearch(filter).trim()) };
	},

	/** Lists countries. The value is the ISO code, because some countries share a calling code. */
	searchCountries: withNoneRow(NO_COUNTRY, async (filter) => ({
		results: findCountries(filter ?? '').map(({ region, name, code }) => ({
			name: `${name} (+${code})`,
			value: region,
		})),
	})),
};

async function findPeople(context: ILoadOptionsFunctions, query: string) {
	const credential = await context.getCredentials(service.credentialType);
	try {
		const { all } = requireValidPeople(credential);
		if (all.length === 0)
			throw new BadInput(
				"The credential names no people: enter them there in 'People', or choose 'By ID' here",
				'One person per line: name, comma, User ID.',
			);
		return all
			.filter(({ name, id }) => normalizeForSearch(`${name} ${id}`).includes(query))
			.map(({ name, id }) => ({ name: `${name} (${id})`, value: id }))
			.sort((a, b) => a.name.localeCompare(b.name, 'en'));
	} catch (error) {
		throw toNodeError(context.getNode(), error, undefined);
	}
}

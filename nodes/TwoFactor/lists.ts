import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { findCountries } from './countries';

/** The lists that users pick from. */
export const lists = {
	/** Countries by name, letters or calling code. Their two letters are the value, since many share a calling code. */
	async searchCountries(
		this: ILoadOptionsFunctions,
		filter?: string,
	): Promise<INodeListSearchResult> {
		return {
			results: findCountries(filter ?? '').map(({ region, name, code }) => ({
				name: `${name} (+${code})`,
				value: region,
			})),
		};
	},
};

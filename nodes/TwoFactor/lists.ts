import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { findCountries } from './countries';

export const lists = {
	/** Lists countries. The value is the ISO code, because some countries share a calling code. */
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

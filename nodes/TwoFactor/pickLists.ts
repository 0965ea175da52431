import { withNoneRow } from '../engine/panel/pickLists';
import { findCountries } from './countries';
import { NO_COUNTRY } from './phoneFields';

export const listSearchMethods = {
	/** Lists countries. The value is the ISO code, because some countries share a calling code. */
	searchCountries: withNoneRow(NO_COUNTRY, async (filter) => ({
		results: findCountries(filter ?? '').map(({ region, name, code }) => ({
			name: `${name} (+${code})`,
			value: region,
		})),
	})),
};

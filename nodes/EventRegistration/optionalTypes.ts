import { modesWithNone } from '../engine/panel/locator';
import { registrationTypeId } from './fields';

/**
 * For each use of an optional registration type: the first row of its list, which clears the field, and the `listSearch`
 * method with that row.
 */
export const EMPTY_TYPE_ROWS = {
	asFilter: { row: 'All Types', list: 'searchAllTypes' },
	toCreate: { row: 'Let the Service Choose', list: 'searchTypesToCreate' },
	toUpdate: { row: 'No Change', list: 'searchTypesToUpdate' },
} as const;

/** Returns the modes of an optional registration type. */
export const typeModes = ({ row, list }: (typeof EMPTY_TYPE_ROWS)[keyof typeof EMPTY_TYPE_ROWS]) =>
	modesWithNone(registrationTypeId.modes, row, list);

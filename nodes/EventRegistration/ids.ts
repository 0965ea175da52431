import type { IdFormat } from '../engine/http/ids';

/** IDs of the event data service, which users confuse with those of this one. */
const EVENT_DATA_ID = /^(evt|att|ses|reg)_/i;

/** Format of all IDs of the service. */
export const NUMBER_ID: IdFormat = {
	pattern: /^0*[1-9]\d{0,18}$/,
	description: 'a number',
	advice: (given) =>
		EVENT_DATA_ID.test(given)
			? 'This ID belongs to Event Data; this node is Event Registration. Choose the record from the list.'
			: 'Choose it from the list, or take the number from the output of an earlier node.',
};

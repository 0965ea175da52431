import type { IdFormat } from '../engine/http/ids';

/** IDs of the event data service, which users confuse with IDs of this service. */
const EVENT_DATA_ID = /^(evt|att|ses|reg)_/i;

const numberId = (advice: string): IdFormat => ({
	pattern: /^0*[1-9]\d{0,18}$/,
	description: 'a number',
	advice: (text) =>
		EVENT_DATA_ID.test(text)
			? 'This ID belongs to Event Data; this node is Event Registration. Choose the record from the list.'
			: text.includes('@')
				? `${advice} To find a person by email address, use Search; Create or Update finds the person itself.`
				: advice,
});

/** Format of all IDs of the service. */
export const NUMBER_ID = numberId(
	'Choose it from the list, or take the number from the output of an earlier node.',
);

/** Format of the IDs of records that can also be given by name. */
export const NAMED_NUMBER_ID = numberId(
	'To use the name, switch to By Name. Or choose it from the list, or take the number from the output of an earlier node.',
);

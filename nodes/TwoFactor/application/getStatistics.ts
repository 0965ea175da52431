import { operation } from '../../engine/operation';
import { userIp } from '../fields';
import { asObject, otherFields } from '../responses';

/** Returns usage statistics: one item per month or, if the response has no months, the response itself. */
export const getStatistics = operation({
	name: 'Get Statistics',
	action: 'Get application statistics',
	description: 'Get usage statistics of the application, one item per month',
	request: 'GET /protected/json/app/stats',
	fields: {},
	options: { userIp: userIp('query') },
	idempotent: true,
	output: ({ body }) => {
		const { stats, app_id, total_users } = asObject(body);
		const entries = [stats].flat();
		const months = entries.map(asObject).filter((month) => Object.keys(month).length > 0);
		// An empty list means that there are no months; anything else without a month is returned unchanged.
		if (months.length === 0 && entries.length > 0) return otherFields(body);
		return months.map((month) => ({ ...month, app_id, total_users }));
	},
	outputSchema: {
		month: 'string',
		year: 'integer',
		api_calls_count: 'integer',
		auths_count: 'integer',
		calls_count: 'integer',
		sms_count: 'integer',
		users_count: 'integer',
		app_id: 'integer',
		total_users: 'integer',
	},
});

import { operation } from '../../engine/operation';
import { asObject, otherFields } from '../answers';
import { userIp } from '../fields';

/** Reads what happened in the application: one item per month, or what the service says instead. */
export const getStatistics = operation({
	name: 'Get Statistics',
	action: 'Get application statistics',
	description: 'Get usage statistics of the application, one item per month',
	request: 'GET /protected/json/app/stats',
	fields: {},
	options: { userIp: userIp('query') },
	repeatable: true,
	output: ({ body }) => {
		const { stats, app_id, total_users } = asObject(body);
		const entries = [stats].flat();
		const months = entries.map(asObject).filter((month) => Object.keys(month).length > 0);
		// Without a month in it the answer speaks for itself; a list of none says that there was none.
		if (months.length === 0 && entries.length > 0) return otherFields(body);
		return months.map((month) => ({ ...month, app_id, total_users }));
	},
	yields: {
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

import type { Operation } from '../../engine/operation';
import { asObject } from '../answers';
import { userIp } from '../fields';

/** Reads what happened in the application: one item per month. */
export const getStatistics: Operation = {
	name: 'Get Statistics',
	action: 'Get application statistics',
	description: 'Look up what happened in the application, one item per month',
	request: { method: 'GET', path: '/protected/json/app/stats' },
	fields: [],
	options: [userIp('query')],
	repeatable: true,
	output: ({ body }) => {
		const { stats, app_id, total_users } = asObject(body);
		return [stats ?? []].flat().map((month) => ({ ...asObject(month), app_id, total_users }));
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
};

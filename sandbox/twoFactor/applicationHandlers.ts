import type { HandlerResponse, Handler } from '../service';
import { application } from './application';
import type { State } from './state';

/** Handlers of the resource Application. */
export function applicationHandlers(state: State): Record<string, Handler> {
	const { settings, users, statistics } = state;
	return {
		getApplicationDetails: (): HandlerResponse => ({
			status: 200,
			body: {
				app: {
					...application,
					sms_enabled: true,
					phone_calls_enabled: true,
					onetouch_enabled: settings.pushEnabled,
				},
				message: 'Application information.',
				success: true,
			},
		}),

		getApplicationStatistics: (): HandlerResponse => {
			const stats = statistics.list();
			return {
				status: 200,
				body: {
					app_id: application.app_id,
					count: stats.length,
					total_users: users.all().filter(({ deletedAt }) => deletedAt === undefined).length,
					stats,
					message: 'Monthly statistics.',
					success: true,
				},
			};
		},
	};
}

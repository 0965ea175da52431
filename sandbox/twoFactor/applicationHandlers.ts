import type { HandlerResponse, Handler } from '../service';
import { application } from './application';
import type { TwoFactorState } from './state';

/** Handlers of the resource Application. */
export function applicationHandlers(state: TwoFactorState): Record<string, Handler> {
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
					total_users: users.list().filter(({ deletedAt }) => deletedAt === undefined).length,
					stats,
					message: 'Monthly statistics.',
					success: true,
				},
			};
		},
	};
}

import { runControl } from './control';
import type { ServiceDefinition } from './service';

/** Returns the two-factor user ID of a phone number; undefined if no user has that number, or if the service does not run. */
export function demoUserId(services: ServiceDefinition[], phone: string): unknown {
	if (!services.some(({ name }) => name === 'twoFactor')) return undefined;
	const [user] = runControl(services, 'twoFactor', 'users', { phone }) as Array<{
		twofactor_id: unknown;
	}>;
	return user?.twofactor_id;
}

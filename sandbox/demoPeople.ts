import { runControl } from './controlRoutes';
import { demoPersonByHolder } from './demoIdentities';
import type { PhoneHolder } from './demoIdentities';
import type { ServiceDefinition, World } from './service';

/** A demo person without the private key. */
export interface PublicDemoPerson {
	holder: PhoneHolder;
	name: string;
	email: string;
	phone: string;
	fingerprint: string;
	/** Missing if no user of the two-factor service has this number, or if that service does not run. */
	userId?: unknown;
}

interface PeopleSources {
	world: World;
	services: ServiceDefinition[];
}

/** Returns the people with a phone, in the order in which pages show them. */
export function listDemoPeople({ world, services }: PeopleSources): PublicDemoPerson[] {
	return (Object.keys(demoPersonByHolder) as PhoneHolder[]).map((holder) => {
		const { name, email, phone, fingerprint } = world.demo[demoPersonByHolder[holder]];
		return { holder, name, email, phone, fingerprint, userId: findDemoUserId(services, phone) };
	});
}

/** Returns the two-factor user ID of a phone number; undefined if no user has that number, or if the service does not run. */
export function findDemoUserId(services: ServiceDefinition[], phone: string): unknown {
	if (!services.some(({ name }) => name === 'twoFactor')) return undefined;
	const [user] = runControl(services, 'twoFactor', 'users', { phone }) as Array<{
		twofactor_id: unknown;
	}>;
	return user?.twofactor_id;
}

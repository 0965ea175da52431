import { runControl } from './control';
import { phoneOwners } from './demo';
import type { PhoneOwner } from './demo';
import type { ServiceDefinition, World } from './service';

/** A demo person without the private key. */
export interface PublicPerson {
	holder: PhoneOwner;
	name: string;
	email: string;
	phone: string;
	fingerprint: string;
	/** Missing if no user of the two-factor service has this number, or if that service does not run. */
	userId?: unknown;
}

interface Sources {
	world: World;
	services: ServiceDefinition[];
}

/** Returns the people with a phone, in the order in which pages show them. */
export function demoPeople({ world, services }: Sources): PublicPerson[] {
	return (Object.keys(phoneOwners) as PhoneOwner[]).map((holder) => {
		const { name, email, phone, fingerprint } = world.demo[phoneOwners[holder]];
		return { holder, name, email, phone, fingerprint, userId: demoUserId(services, phone) };
	});
}

/** Returns the two-factor user ID of a phone number; undefined if no user has that number, or if the service does not run. */
export function demoUserId(services: ServiceDefinition[], phone: string): unknown {
	if (!services.some(({ name }) => name === 'twoFactor')) return undefined;
	const [user] = runControl(services, 'twoFactor', 'users', { phone }) as Array<{
		twofactor_id: unknown;
	}>;
	return user?.twofactor_id;
}

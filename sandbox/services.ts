import { eventData } from './eventData';
import { eventRegistration } from './eventRegistration';
import { passwordlessIdentity } from './passwordlessIdentity';
import type { ServiceFactory } from './service';
import { twoFactor } from './twoFactor';

/** The services that the server mounts. */
export const services: ServiceFactory[] = [
	passwordlessIdentity,
	twoFactor,
	eventData,
	eventRegistration,
];

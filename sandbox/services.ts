import { eventData } from './eventData';
import { eventRegistration } from './eventRegistration';
import { identity } from './identity';
import type { ServiceFactory } from './service';
import { twoFactor } from './twoFactor';

/** The services that the server mounts. */
export const services: ServiceFactory[] = [identity, twoFactor, eventData, eventRegistration];

import { eventData } from './eventData';
import { eventRegistration } from './eventRegistration';
import { identity } from './identity';
import type { ServiceFactory } from './service';

/** The services that the server mounts. */
export const services: ServiceFactory[] = [identity, eventData, eventRegistration];

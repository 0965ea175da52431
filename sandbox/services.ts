import { identity } from './identity';
import type { ServiceFactory } from './service';

/** The services that the server mounts. */
export const services: ServiceFactory[] = [identity];

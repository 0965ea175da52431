import services from '../contracts/services.json';

/** Name of a service in contracts/services.json, in settings, control routes and the request log. */
export type ServiceName = keyof typeof services;
export const serviceNames = Object.keys(services) as ServiceName[];

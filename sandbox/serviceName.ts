import services from '../contracts/services.json';

/** A service, by the name that the table of services, settings, control and journal have for it. */
export type ServiceName = keyof typeof services;
export const serviceNames = Object.keys(services) as ServiceName[];

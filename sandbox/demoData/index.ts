export { contactForm, type FormField } from './forms';
export { firstIds, firstNewIds, idsPerRegistration, IDS_PER_SESSION as idsPerSession } from './ids';
export { makePurchase, sessionVisit, type DemoRegistration } from './registrations';
export { DemoData } from './demoData';
export type { DemoEvent } from './event';
export type { NewEvent } from './newEvent';
export { PartitionedTable } from './partitionedTable';

export { createContactForm, type FormField } from './forms';
export { firstIds, firstNewIds, idsPerRegistration, IDS_PER_SESSION } from './ids';
export { makePurchase, generateSessionVisit, type DemoRegistration } from './registrations';
export { DemoData } from './demoData';
export type { DemoEvent } from './demoEvent';
export type { NewEvent } from './newEvent';
export { PartitionedTable } from './partitionedTable';

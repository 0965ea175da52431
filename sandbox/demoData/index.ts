export { createContactForm as contactForm, type FormField } from './forms';
export { firstIds, firstNewIds, idsPerRegistration, IDS_PER_SESSION as idsPerSession } from './ids';
export {
	makePurchase,
	generateSessionVisit as sessionVisit,
	type DemoRegistration,
} from './registrations';
export { DemoData } from './demoData';
export type { DemoEvent } from './demoEvent';
export type { NewEvent } from './newEvent';
export { PartitionedTable } from './partitionedTable';

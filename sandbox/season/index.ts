export { contactForm, type FormField } from './forms';
export { firstIds, firstNewIds, idsPerRegistration, idsPerSession } from './ids';
export { makePurchase, sessionVisit, type SeasonRegistration } from './registrations';
export { Season, type SeasonEvent, type SeasonList } from './season';
export { Shelf } from './shelf';

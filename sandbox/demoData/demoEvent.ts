import type { FormField } from './forms';
import type { EventPlan } from './plans';
import type { DemoOptionGroup, DemoRegistrationType } from './registrationOptions';

/** One event, with times in ms since 1970. */
export interface DemoEvent extends EventPlan {
	index: number;
	id: number;
	startsAt: number;
	endsAt: number;
	createdAt: number;
	updatedAt: number;
	/** Opening of the registration. */
	opensAt: number;
	capacity: number;
	registrationCount: number;
	/** Index of the event's first registration among all registrations. */
	firstRegistrationIndex: number;
	/** Index of the event's first session among all sessions. */
	firstSessionIndex: number;
	types: DemoRegistrationType[];
	groups: DemoOptionGroup[];
	form: FormField[];
}

/** One session, with times in ms since 1970. */
export interface DemoSession {
	id: number;
	title: string;
	description: string;
	speaker: string;
	location: string;
	capacity: number;
	startsAt: number;
	endsAt: number;
	createdAt: number;
}

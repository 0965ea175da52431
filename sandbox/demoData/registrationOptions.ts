import { firstIds } from './ids';

/** A type of registration that an event offers. */
export interface DemoRegistrationType {
	id: number;
	name: string;
	description: string;
}

/** An option that a registration can order. */
export interface DemoOption {
	id: number;
	groupId: number;
	name: string;
	description: string;
	badge: string;
	price: number;
	max: number;
	available: number;
	/** Caption of an additional question; empty if there is none. */
	question: string;
	questionRequired: boolean;
}

/** Options that belong together. Unless the group is `optional`, one of them must be chosen. */
export interface DemoOptionGroup {
	id: number;
	name: string;
	description: string;
	optional: boolean;
	multiple: boolean;
	options: DemoOption[];
}

const registrationTypePlans = [
	['Attendee', 'Regular participants'],
	['Speaker', 'Speakers and panelists'],
	['Student', 'Students with a valid card'],
	['Sponsor', 'Staff of sponsors and exhibitors'],
	['Press', 'Accredited journalists'],
] as const;

/** Returns the registration types of an event. */
export function createRegistrationTypes(eventIndex: number): DemoRegistrationType[] {
	return registrationTypePlans.map(([name, description], position) => ({
		id: firstIds.registrationType + eventIndex * 10 + position,
		name,
		description,
	}));
}

/** Returns the option groups of an event: admission (one option is required), workshops, evening program. */
export function createOptionGroups(eventIndex: number, fullPrice: number): DemoOptionGroup[] {
	const createGroup = (
		position: number,
		groupFields: Pick<DemoOptionGroup, 'name' | 'description' | 'optional' | 'multiple'>,
		options: Array<
			[name: string, description: string, badge: string, share: number, available: number]
		>,
		question = '',
		questionRequired = false,
	): DemoOptionGroup => {
		const id = firstIds.optionGroup + eventIndex * 10 + position;
		return {
			id,
			...groupFields,
			options: options.map(([name, description, badge, share, available], index) => ({
				id: firstIds.option + eventIndex * 100 + position * 10 + index,
				groupId: id,
				name,
				description,
				badge,
				price: Math.round(fullPrice * share),
				max: groupFields.multiple ? 2 : 1,
				available,
				question,
				questionRequired,
			})),
		};
	};
	return [
		createGroup(
			0,
			{
				name: 'Admission',
				description: 'Every registration has one',
				optional: false,
				multiple: false,
			},
			[
				['Full pass', 'All days', 'Full', 1, 20000],
				['One-day pass', 'One day of your choice', 'Day', 0.6, 8000],
				['Student pass', 'All days, card required', 'Student', 0.3, 4000],
				['Complimentary pass', 'For speakers, sponsors and press', 'Guest', 0, 4000],
			],
		),
		createGroup(
			1,
			{ name: 'Workshops', description: 'Half-day workshops', optional: true, multiple: true },
			[
				['Incident response workshop', 'Bring a laptop', 'Workshop A', 0.25, 4000],
				['Writing workshop', 'Bring a pen', 'Workshop B', 0.2, 4000],
				['Facilitation workshop', 'Bring a problem', 'Workshop C', 0.2, 4000],
			],
		),
		createGroup(
			2,
			{ name: 'Evening program', description: 'After the talks', optional: true, multiple: true },
			[
				['Conference dinner', 'Three courses', 'Dinner', 0.12, 10000],
				['City walk', 'About two hours', 'Walk', 0.03, 6000],
			],
			'Diet',
			true,
		),
	];
}

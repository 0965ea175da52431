/** Fixed properties of a demo event; people and numbers are generated. */
export interface EventPlan {
	name: string;
	description: string;
	city: string;
	offset: string;
	currency: string;
	/** First day relative to the demo data's day; negative for past events. */
	startsInDays: number;
	days: number;
	/** Relative weight of the event among all registrations. */
	weight: number;
	sessionCount: number;
	/** Price of the full pass in the event's currency. */
	price: number;
}

const createEventPlan = (
	name: string,
	description: string,
	location: [city: string, offset: string, currency: string],
	when: [startsIn: number, days: number],
	size: [weight: number, sessions: number, price: number],
): EventPlan => ({
	name,
	description,
	city: location[0],
	offset: location[1],
	currency: location[2],
	startsInDays: when[0],
	days: when[1],
	weight: size[0],
	sessionCount: size[1],
	price: size[2],
});

/** Sixteen events: nine past, two current, five future. */
export const eventPlans: readonly EventPlan[] = [
	createEventPlan(
		'Open Data Forum',
		'Pipelines, warehouses and the people who keep them honest',
		['Berlin, Germany', '+01:00', 'EUR'],
		[-182, 2],
		[9, 16, 690],
	),
	createEventPlan(
		'Accessible Web Day',
		'One day on interfaces that everybody can use',
		['Utrecht, Netherlands', '+01:00', 'EUR'],
		[-150, 1],
		[4, 12, 180],
	),
	createEventPlan(
		'Harbor Security Summit',
		'Defense, response and recovery for small teams',
		['Boston, United States', '-05:00', 'USD'],
		[-121, 3],
		[10, 20, 1150],
	),
	createEventPlan(
		'Northern Platform Days',
		'Two days on running services well',
		['Copenhagen, Denmark', '+01:00', 'DKK'],
		[-95, 2],
		[8, 16, 5200],
	),
	createEventPlan(
		'Sakura Robotics Meeting',
		'Robots that work next to people',
		['Kyoto, Japan', '+09:00', 'JPY'],
		[-74, 2],
		[6, 14, 62000],
	),
	createEventPlan(
		'Festival of Open Maps',
		'Cartography by volunteers, for everybody',
		['Kraków, Poland', '+02:00', 'PLN'],
		[-58, 2],
		[5, 14, 400],
	),
	createEventPlan(
		'Museum & Archive Tech',
		'Digital collections, from scanner to visitor',
		['Dublin, Ireland', '+01:00', 'EUR'],
		[-40, 2],
		[4, 12, 320],
	),
	createEventPlan(
		"Founders' Gathering",
		'First hires, first customers, first mistakes',
		['London, United Kingdom', '+01:00', 'GBP'],
		[-26, 1],
		[7, 12, 240],
	),
	createEventPlan(
		'Congresso de Energia Limpa',
		'Grids, storage and markets for clean energy',
		['São Paulo, Brazil', '-03:00', 'BRL'],
		[-12, 3],
		[8, 18, 1900],
	),
	createEventPlan(
		'European Identity Week',
		'Signing in without passwords, and proving who you are',
		['Vienna, Austria', '+02:00', 'EUR'],
		[-2, 5],
		[11, 24, 980],
	),
	createEventPlan(
		'Field Service Expo',
		'Tools, vans and schedules for people on the road',
		['Bengaluru, India', '+05:30', 'INR'],
		[-1, 3],
		[6, 14, 8400],
	),
	createEventPlan(
		'Summit on Calm Technology',
		'Devices that ask for less of our attention',
		['Gothenburg, Sweden', '+02:00', 'SEK'],
		[9, 2],
		[6, 14, 4300],
	),
	createEventPlan(
		'Registration & Ticketing Congress',
		'Queues, badges, refunds and everything at the door',
		['Barcelona, Spain', '+02:00', 'EUR'],
		[23, 3],
		[7, 18, 760],
	),
	createEventPlan(
		'Lagos Cloud Conference',
		'Building for the next billion accounts',
		['Lagos, Nigeria', '+01:00', 'NGN'],
		[44, 2],
		[5, 14, 95000],
	),
	createEventPlan(
		'Developer Relations Retreat',
		'Three quiet days about documentation and communities',
		['Hội An, Vietnam', '+07:00', 'USD'],
		[71, 3],
		[2, 10, 1400],
	),
	createEventPlan(
		'Applied Research Symposium',
		'Peer-reviewed papers, posters and a long dinner',
		['Lyon, France', '+02:00', 'EUR'],
		[118, 2],
		[2, 12, 540],
	),
];

/** Contact lists and their relative weights among all contacts. */
export const contactListPlans: ReadonlyArray<readonly [name: string, weight: number]> = [
	['Newsletter', 22],
	['Newsletter (German)', 8],
	['Speakers', 5],
	['Speaker leads', 4],
	['Sponsors', 3],
	['Sponsor leads', 4],
	['Exhibitors', 4],
	['Press & Media', 3],
	['Alumni: Open Data Forum', 6],
	['Alumni: Harbor Security Summit', 6],
	['Alumni: Northern Platform Days', 5],
	['VIP guests', 2],
	['Volunteers', 3],
	['Students', 4],
	['University partners', 2],
	["Founders' circle", 2],
	['Identity working group', 3],
	['Waiting list', 2],
	['Program committee', 1],
	['Venue & catering', 1],
	['Hotel block requests', 2],
	['Accessibility advisors', 1],
	['Trade fair walk-ins', 5],
	['Do not call', 2],
	['Club members', 0],
];

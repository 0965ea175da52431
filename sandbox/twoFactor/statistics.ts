import type { World } from '../service';

const counters = ['api_calls', 'auths', 'calls', 'sms', 'users'] as const;
export type Counter = (typeof counters)[number];
type Counts = Record<Counter, number>;

const monthNames = [
	'January',
	'February',
	'March',
	'April',
	'May',
	'June',
	'July',
	'August',
	'September',
	'October',
	'November',
	'December',
];

/** Counts by month, by the sandbox's clock. */
export class Statistics {
	private readonly countsByMonth = new Map<string, Counts>();

	constructor(private readonly world: World) {}

	reset(): void {
		this.countsByMonth.clear();
		this.getCurrentMonth();
	}

	count(counter: Counter): void {
		this.getCurrentMonth()[counter] += 1;
	}

	/** Returns one entry per month since the start, oldest first, in the service's format. */
	list() {
		this.getCurrentMonth();
		return [...this.countsByMonth].map(([key, counts]) => {
			const [year, month] = key.split('-').map(Number) as [number, number];
			const namedCounts = counters.map((counter) => [`${counter}_count`, counts[counter]] as const);
			return { month: monthNames[month]!, year, ...Object.fromEntries(namedCounts) };
		});
	}

	private getCurrentMonth(): Counts {
		const date = new Date(this.world.now());
		const key = `${date.getUTCFullYear()}-${date.getUTCMonth()}`;
		let counts = this.countsByMonth.get(key);
		if (!counts) {
			counts = { api_calls: 0, auths: 0, calls: 0, sms: 0, users: 0 };
			this.countsByMonth.set(key, counts);
		}
		return counts;
	}
}

// Only what bench/sandbox.ts uses: the package brings no types.
declare module 'autocannon' {
	interface Options {
		url: string;
		headers?: Record<string, string>;
		connections?: number;
		/** Seconds. */
		duration?: number;
		/** Requests, instead of a duration. */
		amount?: number;
	}
	interface Result {
		errors: number;
		non2xx: number;
		requests: { average: number; total: number };
	}
	export default function autocannon(options: Options): Promise<Result>;
}

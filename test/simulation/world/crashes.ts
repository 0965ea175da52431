/** A kill at an effect, counted from 1 in the order in which the effects happen. */
export interface Crash {
	effect: number;
	side: 'before' | 'after';
	downtimeMs: number;
}

/** Kills processes at the planned effects. */
export class Crashes {
	effectCount = 0;

	constructor(
		private planned: Crash[],
		private readonly kill: (downtimeMs: number) => void,
	) {}

	/** Cancels all further crashes. */
	end(): void {
		this.planned = [];
	}

	/** Kills the process before or after this effect, if that is planned. The caller checks whether it is still alive. */
	strike(effect: number, side: Crash['side']): void {
		const crash = this.planned.find((each) => each.effect === effect && each.side === side);
		if (crash) this.kill(crash.downtimeMs);
	}
}

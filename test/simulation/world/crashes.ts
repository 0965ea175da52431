/** An effect that leaves the process: n8n can be killed before and after each of them. */
export type EffectKind =
	'request' | 'response' | 'save' | 'start' | 'park' | 'resume call' | 'acknowledgement';

/** A kill at an effect, counted from 1 in the order in which the effects happen. */
export interface Crash {
	effect: number;
	side: 'before' | 'after';
	downtimeMs: number;
}

/** Kills processes at the planned effects, and counts which kinds of effects were hit. */
export class Crashes {
	effectCount = 0;
	/** How often a kill hit each kind of effect, by `side kind`. */
	readonly hits = new Map<string, number>();

	constructor(
		private planned: Crash[],
		private readonly kill: (downtimeMs: number) => void,
	) {}

	/** Cancels all further crashes. */
	end(): void {
		this.planned = [];
	}

	/** Kills the process before or after this effect, if that is planned. The caller checks whether it is still alive. */
	strike(effect: number, side: Crash['side'], kind: EffectKind): void {
		const crash = this.planned.find((each) => each.effect === effect && each.side === side);
		if (!crash) return;
		const name = `${side} ${kind}`;
		this.hits.set(name, (this.hits.get(name) ?? 0) + 1);
		this.kill(crash.downtimeMs);
	}
}

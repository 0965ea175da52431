/** Kinds of effects that leave a process. */
export const effectKinds = [
	'timer',
	'request',
	'response',
	'save',
	'start',
	'webhook response',
	'park',
	'resume',
	'execution end',
] as const;
export type EffectKind = (typeof effectKinds)[number];

/** A kill of the process that causes an effect. The effect is counted from 1 among those of its kind, in the order in which they happen. */
export interface Crash {
	kind: EffectKind;
	nth: number;
	side: 'before' | 'after';
	downtimeMs: number;
}

/** Kills processes at the planned effects, and counts the points at which that was possible. */
export class Crashes {
	/** How many effects of each kind happened. */
	readonly effectCounts = new Map<EffectKind, number>();
	/** Points at which a process could be killed: a kind of effect, its subject (such as a path), and a side. */
	readonly points = new Set<string>();
	/** Points at which a process was killed. */
	readonly struckPoints = new Set<string>();

	private hasEnded = false;

	constructor(private readonly planned: Crash[]) {}

	/** Cancels all further crashes. Later effects do not count. */
	end(): void {
		this.hasEnded = true;
	}

	/** Counts an effect; returns a function that calls `kill` before or after it if that is planned. */
	begin(
		kind: EffectKind,
		subject: string,
		kill: (downtimeMs: number) => void,
	): (side: Crash['side']) => void {
		if (this.hasEnded) return () => undefined;
		const nth = (this.effectCounts.get(kind) ?? 0) + 1;
		this.effectCounts.set(kind, nth);
		return (side) => {
			const point = `${side} ${kind} ${subject}`;
			this.points.add(point);
			const crash = this.planned.find(
				(each) => each.nth === nth && each.kind === kind && each.side === side,
			);
			if (!crash) return;
			this.struckPoints.add(point);
			kill(crash.downtimeMs);
		};
	}
}

import type { IDataObject } from 'n8n-workflow';

import type { OperationRun } from '../hostile/matrix/cases';
import { changesBetween } from '../operations/changes';
import type { RecordSnapshot } from '../operations/changes';
import type { Dialect } from './dialect';

/**
 * End of an operation that met a dialect:
 * - `right`: output and effects as without the dialect
 * - `same`: the same data, in names or forms of the service's own
 * - `told`: an error, or a hint or a field of trouble that the plain run lacks
 * - `silent`: success with other, missing or no data, or with another effect, and no word
 */
export type End = 'right' | 'same' | 'told' | 'silent';
export const ENDS: readonly End[] = ['right', 'same', 'told', 'silent'];

/** A run and the state of its service before and after. */
export interface ObservedRun {
	run: Pick<OperationRun, 'sample' | 'outputItems' | 'positiveItems' | 'error' | 'hints'>;
	before: RecordSnapshot;
	after: RecordSnapshot;
}

/** Values of a JSON value by path. */
type Leaves = Map<string, unknown>;

function leavesOf(value: unknown, path = '', leaves: Leaves = new Map()): Leaves {
	if (typeof value !== 'object' || value === null) leaves.set(path, value);
	else
		for (const [name, member] of Object.entries(value)) leavesOf(member, `${path}.${name}`, leaves);
	return leaves;
}

/** Whether a value is a moment of this run, which differs from run to run. */
function isNow(value: unknown): boolean {
	const ms =
		typeof value === 'number' ? value * (value < 1e11 ? 1000 : 1) : Date.parse(String(value));
	return Math.abs(ms - Date.now()) < 86_400_000;
}

/**
 * What two equal runs have in common. Members that differ between them, such as tokens and random IDs, have no expected value.
 */
export class PlainRuns {
	readonly run: ObservedRun['run'];
	private readonly output: Leaves;
	private readonly effects: Leaves;
	private readonly varying: ReadonlySet<string>;

	constructor(first: ObservedRun, second: ObservedRun) {
		this.run = first.run;
		[this.output, this.effects] = [leavesOf(first.run.outputItems), effectsOf(first)];
		const others = [leavesOf(second.run.outputItems), effectsOf(second)];
		const { varyingFields = [] } = first.run.sample;
		this.varying = new Set(
			[this.output, this.effects].flatMap((leaves, index) =>
				[...leaves].flatMap(([path, value]) =>
					isNow(value) ||
					others[index]!.get(path) !== value ||
					varyingFields.some((name) => path.split('.').includes(name))
						? [path]
						: [],
				),
			),
		);
	}

	classify(observed: ObservedRun, { form = (value) => value }: Dialect): End {
		const { run } = observed;
		if (run.error || this.isTold(run)) return this.isRight(observed) ? 'right' : 'told';
		if (this.isRight(observed)) return 'right';
		return run.positiveItems.length === this.run.positiveItems.length &&
			this.hasSameData(run, form) &&
			this.isEqual(this.effects, effectsOf(observed), form)
			? 'same'
			: 'silent';
	}

	private isRight(observed: ObservedRun): boolean {
		return (
			!observed.run.error &&
			observed.run.positiveItems.length === this.run.positiveItems.length &&
			this.isEqual(this.output, leavesOf(observed.run.outputItems)) &&
			this.isEqual(this.effects, effectsOf(observed))
		);
	}

	private isEqual(
		expected: Leaves,
		actual: Leaves,
		form: (value: unknown) => unknown = (value) => value,
	): boolean {
		return (
			expected.size === actual.size &&
			[...expected].every(
				([path, value]) =>
					actual.has(path) &&
					(this.varying.has(path) || [value, form(value)].includes(actual.get(path))),
			)
		);
	}

	/** A hint names the difference if the plain run lacks it. */
	private isTold({ hints, outputItems }: ObservedRun['run']): boolean {
		const says = ({ trouble, uncertain }: IDataObject) => Boolean(trouble ?? uncertain);
		return (
			hints.some((hint) => !this.run.hints.includes(hint)) ||
			(outputItems.some(says) && !this.run.outputItems.some(says))
		);
	}

	/** Whether each item has the values of its plain item, under whatever names. */
	private hasSameData(
		{ outputItems }: ObservedRun['run'],
		form: (value: unknown) => unknown,
	): boolean {
		if (outputItems.length !== this.run.outputItems.length) return false;
		return this.run.outputItems.every((item, index) => {
			const values = [...leavesOf(outputItems[index])].map(([path, value]) =>
				valueKey(path, value),
			);
			return [...leavesOf(item)].every(([path, value]) => {
				if (value === null || value === '' || this.varying.has(`.${index}${path}`)) return true;
				return (
					values.includes(valueKey(path, value)) || values.includes(valueKey(path, form(value)))
				);
			});
		});
	}
}

/** A text for a value. That of a boolean has its name, since any output has a `true` somewhere. */
const valueKey = (path: string, value: unknown): string =>
	/^(true|false|0|1)$/.test(`${String(value)}`)
		? `${path.split('.').at(-1)!.toLowerCase().replaceAll(/[_-]/g, '')}=${String(value)}`
		: `${String(value)}`;

const effectsOf = ({ before, after }: ObservedRun): Leaves => {
	const { added, removed, changed } = changesBetween(before, after);
	// IDs of new records may be random, so changed records are compared in their order.
	return leavesOf({
		added,
		removed: Object.entries(removed).map(([kind, ids]) => `${kind} ${ids.length}`),
		changed: Object.entries(changed).map(([kind, records]) => [kind, Object.values(records)]),
	});
};

// Protects n8n from many overdue executions at once: most get long timers, and enough checkpoints list each of them.
import type { ParkedExecution } from '../../../nodes/engine/park/poller';
import { planResume } from '../../../nodes/engine/park/resumePlan';

const SHORT_MS = 300_000;
const NOW = 10_000_000;
const candidate = {
	listing: 'me',
	now: NOW,
	shortMs: SHORT_MS,
	isNew: false,
	canResume: true,
	random: () => 0.5,
};
const others = (count: number, changes: Partial<ParkedExecution> = {}): ParkedExecution[] =>
	Array.from({ length: count }, () => ({
		key: 'other',
		executionId: '',
		token: '',
		url: '',
		statusUrl: '',
		timerAt: NOW + SHORT_MS,
		endsAt: Infinity,
		ids: [],
		isDue: () => false,
		parkedAt: NOW - 60_000,
		isLong: false,
		...changes,
	}));
/** Executions with checkpoints, whose timers are these multiples of the short timer away. */
const holders = (timers: number[], changes: Partial<ParkedExecution> = {}): ParkedExecution[] =>
	timers.flatMap((factor) =>
		others(1, { listed: new Set(['me', 'other']), timerAt: NOW + factor * SHORT_MS, ...changes }),
	);
const SHORT = { timerFactor: 1, storesCheckpoint: false, isLong: false };

it('in a small group, all executions have the short timer', () => {
	expect(planResume(candidate, [])).toEqual(SHORT);
	expect(planResume(candidate, others(19))).toEqual(SHORT);
});

it('in a large group, the first executions store checkpoints', () => {
	expect(planResume(candidate, others(20))).toMatchObject({
		storesCheckpoint: true,
		isLong: false,
	});
	const group = [...others(20), ...holders([1, 2, 3])];
	expect(planResume(candidate, group)).toMatchObject({ storesCheckpoint: true, isLong: false });
});

it('the timers of checkpoints are apart, so that they are not overdue at the same time', () => {
	const timerBeside = (timers: number[]) =>
		planResume(candidate, [...others(20), ...holders(timers)]).timerFactor;
	expect(timerBeside([1, 2, 3])).toBe(4);
	expect(timerBeside([1, 2, 4])).toBe(3);
	expect(timerBeside([2, 3, 4])).toBe(1);
});

it('an execution that checkpoints list gets a long timer, and the timers are spread', () => {
	const group = [...others(20), ...holders([1, 2, 3, 4])];
	const timerOf = (random: number) => planResume({ ...candidate, random: () => random }, group);
	expect(timerOf(0)).toEqual({ timerFactor: 6, storesCheckpoint: false, isLong: true });
	expect(timerOf(0.5)).toEqual({ timerFactor: 15, storesCheckpoint: false, isLong: true });
});

it('an execution that too few checkpoints list stores one itself, unless another will soon list it', () => {
	const [listed, unlisted] = [holders([1]), holders([2, 3, 4], { listed: new Set() })];
	const group = [...others(20), ...listed, ...unlisted];
	expect(planResume(candidate, group)).toMatchObject({ storesCheckpoint: true });
	const recent = holders([2], { listed: new Set(), parkedAt: NOW - 5000 });
	expect(planResume(candidate, [...group, ...recent])).toMatchObject({ isLong: true });
	const waiting = others(20, { key: 'late', isLong: true });
	expect(planResume(candidate, [...group, ...recent, ...waiting])).toMatchObject({
		storesCheckpoint: true,
	});
});

it('an execution keeps its checkpoint if too few others list an execution with a long timer', () => {
	const unlisted = others(1, { key: 'unlisted', isLong: true });
	const group = [...others(20), ...holders([1, 2, 3, 4]), ...unlisted];
	expect(planResume(candidate, group)).toMatchObject({ storesCheckpoint: true });
	const full = holders([1, 2], { listed: new Set(['me', 'other', 'unlisted']) });
	expect(planResume(candidate, [...group, ...full])).toMatchObject({ isLong: true });
});

it('a new execution with a checkpoint soon renews it', () => {
	const group = [...others(20), ...holders([1, 2, 3, 4], { listed: new Set() })];
	const { timerFactor, storesCheckpoint } = planResume({ ...candidate, isNew: true }, group);
	expect(storesCheckpoint).toBe(true);
	expect(timerFactor).toBeLessThan(1);
});

it('an execution gets no long timer if the poller cannot reach n8n', () => {
	const group = [...others(20), ...holders([1, 2, 3, 4])];
	expect(planResume({ ...candidate, canResume: false }, group)).toEqual(SHORT);
});

it('checkpoints stay as long as an execution with a long timer depends on them', () => {
	const group = others(1, { isLong: true });
	expect(planResume(candidate, group)).toMatchObject({ storesCheckpoint: true, isLong: false });
	expect(planResume(candidate, [...group, ...holders([1, 2, 3, 4])])).toEqual(SHORT);
});

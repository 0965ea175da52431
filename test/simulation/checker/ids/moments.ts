import type { History } from '../../history';
import { eventsOf } from '../verdict';

/** Whether another process of n8n lived at the same time as this one. */
export function hasOtherLiveProcess(history: History, process: number): boolean {
	const lifeOf = (number: number) => {
		const isOfProcess = (event: { process: number }) => event.process === number;
		return {
			from: eventsOf(history, 'processStarted').find(isOfProcess)?.at ?? 0,
			until: eventsOf(history, 'processEnded').find(isOfProcess)?.at ?? Infinity,
		};
	};
	const life = lifeOf(process);
	return eventsOf(history, 'processStarted').some((other) => {
		const { from, until } = lifeOf(other.process);
		return other.process !== process && from < life.until && life.from < until;
	});
}

/** Whether a process had ended before a time. */
export const hadEnded = (history: History, process: number, before: number): boolean =>
	eventsOf(history, 'processEnded').some((event) => event.process === process && event.at < before);

/** Returns the time between two moments by the wall clock of the machine. */
export const wallMsBetween = (history: History, fromMs: number, untilMs: number): number =>
	eventsOf(history, 'clockStepped')
		.filter(({ at }) => at >= fromMs && at <= untilMs)
		.reduce((sum, { byMs }) => sum + byMs, untilMs - fromMs);

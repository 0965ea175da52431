import { toMatchSnapshot } from 'jest-snapshot';

/** Lines removed from and added to a snapshot. */
export interface Difference {
	gone: string[];
	added: string[];
}

/** Returns the lines of a snapshot without its brackets. */
const splitLines = (snapshot: string): string[] =>
	snapshot
		.split('\n')
		.map((line) => line.trim().replace(/,$/, ''))
		.filter((line) => !/^[[\]]?$/.test(line));

/** Compares two snapshots. The order of lines does not matter, since n8n identifies parameters by name. */
export function findDifference(snapshotBefore: string, snapshotNow: string): Difference {
	const linesBefore = new Set(splitLines(snapshotBefore));
	const linesNow = new Set(splitLines(snapshotNow));
	return {
		gone: [...linesBefore].filter((line) => !linesNow.has(line)),
		added: [...linesNow].filter((line) => !linesBefore.has(line)),
	};
}

const formatList = (lines: string[]) => lines.map((line) => `  ${line}`).join('\n');

/** Returns instructions for a difference. */
export function makeAdvice({ gone, added }: Difference): string {
	const newLinesText = `This is new in the public surface:\n${formatList(added)}`;
	const updateSteps = 'run "npm run surface", and add a line to CHANGELOG.md';
	if (gone.length === 0) {
		return added.length === 0
			? `The public surface is the same in another order: run "npm run surface".`
			: `${newLinesText}\nNothing that workflows hold is gone. If it is meant, ${updateSteps}.`;
	}
	return [
		`This is gone from the public surface, or has another name, type or default, and stored workflows hold it:\n${formatList(gone)}`,
		...(added.length > 0 ? [newLinesText] : []),
		`A stored workflow must keep working unchanged. Leave the old as it was, and give the node another version for the new: n8n's light versioning, docs/upgrading.md. Then ${updateSteps}.`,
	].join('\n');
}

/** Jest's result for a snapshot, and the two texts that it compared. */
interface SnapshotResult {
	pass: boolean;
	message: () => string;
	expected?: string;
	actual?: string;
}

expect.extend({
	toBeFrozen(lines: string[]) {
		// Jest passes its own matchers more than the types declare.
		const context = this as unknown as ThisParameterType<typeof toMatchSnapshot>;
		const result = toMatchSnapshot.call(context, lines) as SnapshotResult;
		const { expected, actual } = result;
		// Jest's own message says that there is no snapshot yet.
		if (result.pass || expected === undefined || actual === undefined) return result;
		return { ...result, message: () => makeAdvice(findDifference(expected, actual)) };
	},
});

/** Compares lines with the test's snapshot. A failure says what to do. */
export function expectFrozen(lines: string[]): void {
	(expect(lines) as unknown as { toBeFrozen: () => void }).toBeFrozen();
}

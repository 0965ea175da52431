// Protects people from repeated questions after n8n's database is restored: only one that the copy lacks is sent again.
import { FIRST_EXECUTION_ID, sendAndWait } from './parkRig';
import type { StoredExecution } from './parkWorkflow';
import { manager, severalPeopleParameters, useSeveralPeople } from './severalPeopleLevels';

// n8n's database is restored from a copy in which an execution is parked that has ended since. Nothing in the copy shows
// that, so the execution resumes again. docs/reliability.md says what then happens twice.

const MINUTE = 60_000;
const { rig, open, start, advanceTime, readNextInputs, decideLastRequestOf, countRequests } =
	useSeveralPeople();

/** Ends the process, and replaces an execution by its copy. */
function restoreCopy(copy: StoredExecution): void {
	rig.host.stopTimers();
	rig.host.executions.set(copy.id, copy);
	rig.host.restartProcess();
}

it('the nodes after the wait run again, and no question is sent again', async () => {
	open(sendAndWait());
	const copy = { ...(await start('One?')) };
	rig.decide('One?');
	await advanceTime(6 * MINUTE);
	expect(readNextInputs(FIRST_EXECUTION_ID)).toHaveLength(1);
	restoreCopy(copy);
	await advanceTime(6 * MINUTE);
	expect(readNextInputs(FIRST_EXECUTION_ID)).toMatchObject([
		[{ outcome: 'approved' }],
		[{ outcome: 'approved' }],
	]);
	expect(rig.countApprovalRequests()).toBe(1);
});

it('a question of a later level that was sent after the copy is sent again', async () => {
	open(severalPeopleParameters([manager, { name: 'Finance', people: '1', needed: 'all' }]));
	const copy = { ...(await start('One?')) };
	decideLastRequestOf('9');
	await advanceTime(6 * MINUTE);
	expect(countRequests()).toEqual({ 9: 1, 1: 1 });
	restoreCopy(copy);
	await advanceTime(6 * MINUTE);
	expect(countRequests()).toEqual({ 9: 1, 1: 2 });
});

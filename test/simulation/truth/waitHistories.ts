import type { TrueHistory } from './trueHistory';

const approved = (request: string) => [{ request, outcome: 'approved', approved: true }];

/** Histories of executions that ask a person and park. */
export const waitHistories: TrueHistory[] = [
	{
		name: 'asked and approved, and called again after the end',
		isQuick: true,
		// A person who follows a link too late gets a page that says so.
		expected: {
			executions: { ask: { status: 'success', questions: 1, output: approved('ask') } },
			responses: { 'resume ask': [200] },
		},
		play: async (stage) => {
			await stage.askAndPark('ask');
			stage.decide('ask', 'approved');
			await stage.untilStatus('ask', 'success');
			await stage.callResume('ask');
		},
	},
	{
		name: 'denied, and expired',
		expected: {
			executions: {
				first: {
					status: 'success',
					questions: 1,
					output: [{ request: 'first', outcome: 'denied', approved: false }],
				},
				second: {
					status: 'success',
					questions: 1,
					output: [{ request: 'second', outcome: 'expired', approved: false }],
				},
			},
		},
		play: async (stage) => {
			await stage.askAndPark('first');
			await stage.askAndPark('second');
			stage.decide('first', 'denied');
			stage.decide('second', 'expired');
			await stage.untilStatus('first', 'success');
			await stage.untilStatus('second', 'success');
		},
	},
	{
		name: 'killed while parked, and decided while n8n is down',
		expected: {
			executions: {
				ask: { status: 'success', questions: 1, output: approved('ask') },
				open: { status: 'waiting', questions: 1 },
			},
		},
		play: async (stage) => {
			await stage.askAndPark('ask');
			await stage.askAndPark('open');
			await stage.kill();
			stage.decide('ask', 'approved');
			await stage.start();
			await stage.untilStatus('ask', 'success');
			await stage.pass(10_000);
		},
	},
	{
		name: 'overdue when n8n starts',
		expected: {
			executions: {
				ask: { status: 'success', questions: 1, output: approved('ask') },
				open: { status: 'waiting', questions: 1 },
			},
		},
		play: async (stage) => {
			await stage.askAndPark('ask');
			await stage.askAndPark('open');
			await stage.kill();
			stage.decide('ask', 'approved');
			await stage.pass(stage.resumeAfterMs);
			await stage.start();
			await stage.untilStatus('ask', 'success');
			await stage.pass(10_000);
		},
	},
	{
		name: 'killed before it is parked',
		// A resume call would get 409, or 500 if n8n's event log lacked the start of the node when n8n was killed.
		expected: { executions: { ask: { status: 'crashed', questions: 1 } } },
		play: async (stage) => {
			stage.failNext({ operation: 'getApprovalRequest', kind: 'slow' });
			await stage.ask('ask');
			await stage.untilAsked('ask');
			await stage.kill();
			stage.decide('ask', 'approved');
			await stage.start();
			await stage.untilStatus('ask', 'crashed');
		},
	},
	{
		name: 'orderly restart before it is parked',
		expected: {
			executions: { ask: { status: 'success', questions: 1, output: approved('ask') } },
		},
		play: async (stage) => {
			stage.failNext({ operation: 'getApprovalRequest', kind: 'slow' });
			await stage.ask('ask');
			await stage.untilAsked('ask');
			await stage.restart();
			await stage.untilStatus('ask', 'waiting');
			stage.decide('ask', 'approved');
			await stage.untilStatus('ask', 'success');
		},
	},
	{
		name: 'orderly restart while parked',
		expected: {
			executions: { ask: { status: 'success', questions: 1, output: approved('ask') } },
		},
		play: async (stage) => {
			await stage.askAndPark('ask');
			await stage.restart();
			stage.decide('ask', 'approved');
			await stage.untilStatus('ask', 'success');
		},
	},
	{
		name: 'stopped before it is parked, and decided',
		expected: { executions: { ask: { status: 'canceled', questions: 1 } } },
		play: async (stage) => {
			stage.failNext({ operation: 'getApprovalRequest', kind: 'slow' });
			await stage.ask('ask');
			await stage.untilAsked('ask');
			stage.decide('ask', 'approved');
			await stage.stop('ask');
			await stage.pass(5000);
		},
	},
	{
		name: 'stopped while parked',
		expected: {
			executions: { ask: { status: 'canceled', questions: 1 } },
			responses: { 'resume ask': [409] },
		},
		play: async (stage) => {
			await stage.askAndPark('ask');
			await stage.stop('ask');
			stage.decide('ask', 'approved');
			await stage.pass(5000);
			await stage.callResume('ask');
		},
	},
	{
		name: 'called from outside while undecided',
		isQuick: true,
		expected: {
			executions: { ask: { status: 'success', questions: 1, output: approved('ask') } },
			responses: { 'resume ask': [401, 200] },
		},
		play: async (stage) => {
			await stage.askAndPark('ask');
			await stage.callResume('ask', { hasToken: false });
			await stage.callResume('ask');
			await stage.pass(5000);
			await stage.untilStatus('ask', 'waiting');
			stage.decide('ask', 'approved');
			await stage.untilStatus('ask', 'success');
		},
	},
	{
		name: 'called twice at once after the decision',
		// One call resumes the execution. n8n answers the other one with an error.
		expected: {
			executions: { ask: { status: 'success', questions: 1, output: approved('ask') } },
			responses: { 'resume ask': [200, 500] },
		},
		play: async (stage) => {
			await stage.askAndPark('ask');
			stage.decide('ask', 'approved');
			await stage.callResume('ask', { count: 2 });
			await stage.untilStatus('ask', 'success');
		},
	},
	{
		name: 'On Error continues after an error of the service',
		isQuick: true,
		expected: {
			executions: {
				ask: {
					status: 'success',
					questions: 0,
					output: [
						{
							error:
								"Two-factor service: Something went wrong (60000). The service is unavailable. It's unclear whether the approval request went out, so the request wasn't retried. Check before running again.",
						},
					],
				},
			},
		},
		play: async (stage) => {
			stage.failNext({ operation: 'createApprovalRequest', kind: '500' });
			await stage.ask('ask', { onError: 'continueRegularOutput' });
			await stage.untilStatus('ask', 'success');
		},
	},
	{
		name: 'Retry On Fail after a lost response',
		// The node does not know whether the question was sent, so no further attempt sends it again.
		expected: {
			executions: {
				ask: {
					status: 'error',
					questions: 1,
					error: 'The connection to the two-factor service broke before it answered',
				},
			},
		},
		play: async (stage) => {
			stage.failNext({ operation: 'createApprovalRequest', kind: 'lost' });
			await stage.ask('ask', { retryOnFail: true, maxTries: 3, waitBetweenTries: 1000 });
			await stage.untilStatus('ask', 'error');
		},
	},
	{
		name: 'Retry On Fail after an error of the service',
		expected: {
			executions: {
				ask: {
					status: 'error',
					questions: 0,
					error: 'Two-factor service: Something went wrong (60000)',
				},
			},
		},
		play: async (stage) => {
			stage.failNext({ operation: 'createApprovalRequest', kind: '500' });
			await stage.ask('ask', { retryOnFail: true, maxTries: 3, waitBetweenTries: 1000 });
			await stage.untilStatus('ask', 'error');
		},
	},
	{
		name: 'rate-limited question',
		expected: {
			executions: { ask: { status: 'success', questions: 1, output: approved('ask') } },
		},
		play: async (stage) => {
			stage.failNext({ operation: 'createApprovalRequest', kind: '429', retryAfter: 3 });
			await stage.askAndPark('ask');
			stage.decide('ask', 'approved');
			await stage.untilStatus('ask', 'success');
		},
	},
];

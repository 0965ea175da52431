import type { TrueHistory } from './trueHistory';

/** Histories of triggers. */
export const triggerHistories: TrueHistory[] = [
	{
		name: 'entered ID',
		expected: { starts: ['a approved'] },
		play: async (stage) => {
			await stage.createRequests('a');
			await stage.watch('first', 'a');
			stage.decide('a', 'approved');
			await stage.untilStarted(1);
		},
	},
	{
		name: 'submitted twice, and again after its start',
		isQuick: true,
		expected: { starts: ['a denied'], responses: { 'submit a': [200, 200, 200] } },
		play: async (stage) => {
			await stage.createRequests('a');
			await stage.watch('first');
			await stage.submit('first', 'a');
			await stage.submit('first', 'a');
			stage.decide('a', 'denied');
			await stage.untilStarted(1);
			await stage.pass(4000);
			await stage.submit('first', 'a');
		},
	},
	{
		name: 'expired',
		expected: { starts: ['a expired'] },
		play: async (stage) => {
			await stage.createRequests('a');
			await stage.watch('first', 'a');
			stage.decide('a', 'expired');
			await stage.untilStarted(1);
		},
	},
	{
		name: 'acknowledged, then killed at once, and decided while n8n is down',
		isQuick: true,
		expected: {
			starts: ['a approved', 'b denied'],
			responses: { 'submit b': [200] },
		},
		play: async (stage) => {
			await stage.createRequests('a', 'b');
			await stage.watch('first', 'a');
			await stage.submit('first', 'b');
			await stage.kill();
			stage.decide('a', 'approved');
			stage.decide('b', 'denied');
			await stage.start();
			await stage.untilStarted(2);
		},
	},
	{
		name: 'killed right after a start',
		expected: { starts: ['a approved'] },
		play: async (stage) => {
			await stage.createRequests('a');
			await stage.watch('first', 'a');
			stage.decide('a', 'approved');
			await stage.untilStarted(1);
			await stage.kill();
			await stage.start();
			await stage.pass(5000);
		},
	},
	{
		name: 'killed twice, and submitted again after the start',
		expected: { starts: ['a approved'], responses: { 'submit a': [200, 200] } },
		play: async (stage) => {
			await stage.createRequests('a');
			await stage.watch('first');
			await stage.submit('first', 'a');
			await stage.kill();
			await stage.start();
			stage.decide('a', 'approved');
			await stage.untilStarted(1);
			await stage.kill();
			await stage.start();
			await stage.submit('first', 'a');
			await stage.pass(5000);
		},
	},
	{
		name: 'unpublished and published again',
		expected: {
			starts: ['a approved', 'b denied'],
			responses: { 'submit b': [200], 'submit c': [404] },
		},
		play: async (stage) => {
			await stage.createRequests('a', 'b', 'c');
			await stage.watch('first', 'a');
			await stage.submit('first', 'b');
			await stage.unpublish('first');
			await stage.submit('first', 'c');
			stage.decide('a', 'approved');
			stage.decide('b', 'denied');
			await stage.pass(5000);
			await stage.publish('first');
			await stage.untilStarted(2);
		},
	},
	{
		name: 'unpublished after a start, and published again',
		expected: { starts: ['a approved'] },
		play: async (stage) => {
			await stage.createRequests('a');
			await stage.watch('first', 'a');
			stage.decide('a', 'approved');
			await stage.untilStarted(1);
			await stage.unpublish('first');
			await stage.pass(3000);
			await stage.publish('first');
			await stage.pass(5000);
		},
	},
	{
		name: 'orderly restart',
		expected: {
			starts: ['a approved', 'b denied', 'c approved'],
			responses: { 'submit b': [200] },
		},
		play: async (stage) => {
			await stage.createRequests('a', 'b', 'c');
			await stage.watch('first', 'a', 'c');
			await stage.submit('first', 'b');
			stage.decide('a', 'approved');
			await stage.untilStarted(1);
			await stage.restart();
			stage.decide('b', 'denied');
			stage.decide('c', 'approved');
			await stage.untilStarted(3);
		},
	},
	{
		name: 'the same ID in two workflows',
		expected: { starts: ['a approved', 'a approved'], responses: { 'submit a': [200] } },
		play: async (stage) => {
			await stage.createRequests('a');
			await stage.watch('first', 'a');
			await stage.watch('second');
			await stage.submit('second', 'a');
			stage.decide('a', 'approved');
			await stage.untilStarted(2);
		},
	},
	{
		name: 'rate-limited with Retry-After, then an error of the service',
		// The trigger reports once that the service is unavailable, and catches up. One ID: of two simultaneous requests, only the
		// first fault counts.
		expected: { starts: ['a approved', 'report'] },
		play: async (stage) => {
			await stage.createRequests('a');
			await stage.watch('first', 'a');
			stage.failNext({ operation: 'getApprovalRequest', kind: '429', retryAfter: 7 });
			stage.failNext({ operation: 'getApprovalRequest', kind: '500' });
			stage.decide('a', 'approved');
			await stage.untilStarted(2);
		},
	},
	{
		name: 'registration created, and changed while n8n is down',
		expected: { starts: ['ada created', 'ada updated', 'bob created'] },
		play: async (stage) => {
			await stage.followRegistrations('first');
			await stage.register('ada');
			await stage.untilStarted(1);
			await stage.pass(3000);
			await stage.kill();
			await stage.changeRegistration('ada');
			await stage.register('bob');
			await stage.start();
			await stage.untilStarted(3);
			await stage.pass(12_000);
		},
	},
];

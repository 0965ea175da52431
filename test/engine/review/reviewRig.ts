import type { IDataObject, INode } from 'n8n-workflow';

import type { TestNode } from '../../support/workflow';
import { ParkHost } from '../park/parkHost';
import { useWorld } from '../park/parkWorld';
import type { ModelCall } from './reviewVariants';

/** Setup of a reviewed agent, besides the calls of its model. */
interface Setting {
	/** Parameters of the review. */
	parameters?: IDataObject;
	/** Settings of the review. */
	settings?: Partial<INode>;
	/** The agent's input. */
	items?: IDataObject[];
	reviewedTools?: TestNode[];
	first?: Partial<TestNode>;
}

const recording = (name: string): TestNode => ({ name, type: 'test.recordingTool' });

/** A call of the tool Refund. */
export const refund = (more: Partial<ModelCall> = {}): ModelCall => ({
	id: 'call_1_0',
	tool: 'Refund',
	toolParameters: { Amount: 250, Guest: 'Ada Lovelace' },
	...more,
});

/** Has a scripted agent call tools that are reviewed on a phone, in virtual time. */
export function useReviews() {
	const world = useWorld();
	const sent = () => [...world.service.approvals.values()];
	/** Returns the last tool results for the model. */
	const message = () =>
		(world.host.nextInputs.get('1')?.[0]?.[0] as { said: string[] } | undefined)?.said;

	/** Starts an agent whose model makes these calls in one turn, or these turns. */
	async function start(turns: ModelCall[] | ModelCall[][] = [refund()], setting: Setting = {}) {
		const { parameters, settings, items = [{}], first } = setting;
		const { reviewedTools = [recording('Refund'), recording('Delete')] } = setting;
		const script = Array.isArray(turns[0]) ? turns : [turns];
		world.host = new ParkHost(
			[
				{ name: 'Start', type: 'start', ...first },
				{ name: 'Agent', type: 'reviewedAgent', parameters: { turns: JSON.stringify(script) } },
				{ name: 'Next', type: 'next' },
			],
			{
				tools: [
					{
						name: 'Ask',
						type: 'twoFactorHitlTool',
						parameters: { twofactorId: '100002', ...parameters },
						...settings,
					},
				],
				reviewedTools,
			},
		);
		const started = world.host.start(items);
		await world.pass(3000);
		return await started;
	}

	/** Decides the latest request and resumes the agent. */
	async function decide(status: string, index = sent().length - 1) {
		sent()[index]!.status = status;
		await world.pass(10_000);
	}

	/** Expects that a call is rejected before any request is sent, and returns the tool result for the model. */
	async function rejected(calls: ModelCall[], setting: Setting = {}) {
		await start(calls, setting);
		expect(sent()).toEqual([]);
		expect(world.host.toolInputs).toEqual([]);
		const [expectedMessage = ''] = message() ?? [];
		expect(expectedMessage).toMatch(
			/^The user reviewed .* couldn't be asked: .* The tool was not run\."\.$/,
		);
		return expectedMessage;
	}

	return { world, start, sent, decide, said: message, rejected, ran: () => world.host.toolInputs };
}

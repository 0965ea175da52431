import type { IDataObject, INode } from 'n8n-workflow';

import type { TestNode } from '../../support/workflow';
import { ParkHost } from '../park/parkHost';
import { useParkRig } from '../park/parkRig';
import type { ModelCall } from './reviewVariants';

/** Setup of a reviewed agent, besides the calls of its model. */
interface ReviewSetup {
	/** Parameters of the review node. */
	parameters?: IDataObject;
	/** Settings of the review node. */
	settings?: Partial<INode>;
	/** The agent's input. */
	items?: IDataObject[];
	/** Tools that the agent can call; by default Refund and Delete, which record their input. */
	reviewedTools?: TestNode[];
	/** Changes of the node that starts the workflow. */
	firstNode?: Partial<TestNode>;
}

const recordingToolNode = (name: string): TestNode => ({ name, type: 'test.recordingTool' });

/** A call of the tool Refund. */
export const refundCall = (overrides: Partial<ModelCall> = {}): ModelCall => ({
	id: 'call_1_0',
	tool: 'Refund',
	toolParameters: { Amount: 250, Guest: 'Ada Lovelace' },
	...overrides,
});

/** Has a scripted agent call tools that are reviewed on a phone, in virtual time. */
export function useReviews() {
	const rig = useParkRig();
	const sentApprovals = () => [...rig.service.approvals.values()];
	/** Returns the tool results that the model has received, or undefined while the agent waits. */
	const readToolResults = () =>
		(rig.host.nextInputs.get('1')?.[0]?.[0] as { toolResults: string[] } | undefined)?.toolResults;

	/** Starts an agent whose model makes these calls in one turn, or these turns. */
	async function start(
		turns: ModelCall[] | ModelCall[][] = [refundCall()],
		setup: ReviewSetup = {},
	) {
		const { parameters, settings, items = [{}], firstNode } = setup;
		const { reviewedTools = [recordingToolNode('Refund'), recordingToolNode('Delete')] } = setup;
		const script = Array.isArray(turns[0]) ? turns : [turns];
		rig.host = new ParkHost(
			[
				{ name: 'Start', type: 'start', ...firstNode },
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
		const started = rig.host.start(items);
		await rig.advanceTime(3000);
		return await started;
	}

	/** Decides a request, by default the last one, and lets the agent resume. */
	async function decide(status: string, index = sentApprovals().length - 1) {
		sentApprovals()[index]!.status = status;
		await rig.advanceTime(10_000);
	}

	/** Expects that a call is rejected before any request is sent, and returns the tool result for the model. */
	async function expectRejected(calls: ModelCall[], setup: ReviewSetup = {}) {
		await start(calls, setup);
		expect(sentApprovals()).toEqual([]);
		expect(rig.host.toolInputs).toEqual([]);
		const [message = ''] = readToolResults() ?? [];
		expect(message).toMatch(
			/^The user reviewed .* couldn't be asked: .* The tool was not run\."\.$/,
		);
		return message;
	}

	return {
		rig,
		start,
		sentApprovals,
		decide,
		readToolResults,
		expectRejected,
		toolInputs: () => rig.host.toolInputs,
	};
}

import type { ChosenPolicy } from '../history';
import type { World } from '../world/world';
import { answerTo } from './policyPlan';
import type { PlannedAnswer, PlannedQuestion } from './policyPlan';

/** Records an answer at the service. Throws if the request has ended. `responder` is the person whom the record names. */
type Decide = (id: string, outcome: string, responder: string) => void;

/** A user who is never asked. */
const ANOTHER_USER = '100999';

/** The people who are asked about items that several of them decide. */
export class Deciders {
	private readonly questions = new Map<
		string,
		{ policy: ChosenPolicy; planned: PlannedQuestion; counts: Map<string, number> }
	>();

	/** Requests that the service cannot return. */
	readonly unreadableIds = new Set<string>();

	constructor(
		private readonly world: World,
		private readonly decide: Decide,
	) {}

	/** Records who decides about a question, and plans their answers. */
	choose(question: string, policy: ChosenPolicy, planned: PlannedQuestion): void {
		this.questions.set(question, { policy, planned, counts: new Map() });
		this.world.record({ type: 'policyChosen', question, policy: structuredClone(policy) });
	}

	/** Shows a request to a person, who answers as planned. The service accepts no second answer. */
	receive(id: string, question: string, person: string, expiresInMs: number): void {
		const { world } = this;
		world.record({ type: 'asked', id, question, person, expiresInMs });
		const known = this.questions.get(question);
		if (!known) return;
		const { policy, planned, counts } = known;
		const nth = counts.get(person) ?? 0;
		counts.set(person, nth + 1);
		const { answer, afterMs, againAfterMs, isByAnother, isUnreadable } =
			answerTo(planned, policy, person, nth) ?? ({ afterMs: 0 } satisfies PlannedAnswer);
		if (isUnreadable) this.unreadableIds.add(id);
		if (!answer) return;
		const responder = isByAnother && answer !== 'expired' ? ANOTHER_USER : person;
		const decide = (outcome: string) => {
			try {
				this.decide(id, outcome, responder);
				world.record({ type: 'decided', id, outcome, person: responder });
			} catch {
				// The phone shows that the request has ended.
			}
		};
		world.machine.schedule(afterMs, () => decide(answer));
		if (againAfterMs === undefined) return;
		const contrary = answer === 'approved' ? 'denied' : 'approved';
		world.machine.schedule(afterMs + againAfterMs, () => decide(contrary));
	}
}

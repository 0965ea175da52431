import { Bus } from './bus';
import type { ServiceName } from './serviceName';

/** Who writes, and when by the sandbox's clock, which every time stamp is taken from. */
export interface Act {
	now: number;
	by: 'api' | 'desk';
}

/** Something that was written at a service that has a desk. */
export interface DeskChange {
	/** Counted from 1 since the start. */
	id: number;
	at: number;
	by: Act['by'];
	service: ServiceName;
	/** The event that it is about, as the service writes its id. */
	eventId?: string;
	contactListId?: string;
	/** What happened, such as `Kim Okafor was registered`. */
	text: string;
}

const KEPT = 100;

/** What services tell the desk, whoever wrote it: a workflow through the API, or somebody at the desk. */
export class DeskBus extends Bus<DeskChange> {
	private told = 0;

	constructor() {
		super(({ id }) => String(id), KEPT);
	}

	tell(act: Act, change: Omit<DeskChange, 'id' | 'at' | 'by'>): void {
		this.deliver({ id: ++this.told, at: act.now, by: act.by, ...change });
	}

	/** The newest changes, oldest first. */
	changes(): DeskChange[] {
		return this.select();
	}

	/** Calls back for each change until the returned function is called. */
	watch(onChange: (change: DeskChange) => void): () => void {
		return this.follow(() => true, onChange);
	}
}

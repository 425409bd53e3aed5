-- The receiver's tables, by version: what stands below a line `-- version N` is run once, in one transaction, on a database
-- that is older. A new version goes to the end; one that was released is never changed.
--
-- Every key begins with the gateway, so that each table can be spread over partitions or databases by it. `record` and
-- `telemetry`, the largest, are from the beginning. What a gateway sends is kept as `json`, not `jsonb`: the text stays as it came, and jsonb
-- refuses some strings that JSON allows (U+0000).

-- version 1

CREATE TABLE gateway (
  gateway text PRIMARY KEY,
  software text NOT NULL,
  enrolled_ms bigint NOT NULL,
  -- The last hello that was answered with a welcome, by our clock.
  hello_ms bigint NOT NULL,
  clock_quality text NOT NULL,
  -- The start that was welcomed last; null in the transaction of the first hello only.
  boot_number bigint,
  boot_id text,
  -- By the broker; null: not told yet.
  is_online boolean,
  presence_ms bigint
);

-- Starts that were welcomed.
CREATE TABLE boot (
  gateway text NOT NULL REFERENCES gateway,
  boot_number bigint NOT NULL,
  boot_id text NOT NULL,
  welcomed_ms bigint NOT NULL,
  -- [{stream, epoch, applied}] when the next start was welcomed; null while it is the last.
  applied json,
  PRIMARY KEY (gateway, boot_id, boot_number)
);

-- Hellos of a history that parted from ours, and of a start that came back after another one: two boxes with one card.
CREATE TABLE fork (
  gateway text NOT NULL REFERENCES gateway,
  fork_id bigint GENERATED ALWAYS AS IDENTITY,
  at_ms bigint NOT NULL,
  boot_number bigint NOT NULL,
  boot_id text NOT NULL,
  is_clone boolean NOT NULL,
  PRIMARY KEY (gateway, fork_id)
);

-- How far each stream of each epoch is applied.
CREATE TABLE stream_position (
  gateway text NOT NULL REFERENCES gateway,
  stream text NOT NULL,
  epoch text NOT NULL,
  -- Orders the epochs of a stream; the last one is that of the latest hello, the others are not taken any more.
  turn integer NOT NULL,
  applied bigint NOT NULL,
  is_current boolean NOT NULL,
  PRIMARY KEY (gateway, stream, epoch)
);

-- Records of the event stream. (turn, seq) is their order.
CREATE TABLE record (
  gateway text NOT NULL,
  epoch text NOT NULL,
  seq bigint NOT NULL,
  turn integer NOT NULL,
  boot bigint NOT NULL,
  monotonic_ms double precision NOT NULL,
  at_ms bigint NOT NULL,
  quality text NOT NULL,
  event text NOT NULL,
  payload json NOT NULL,
  -- Keys that we do not know, kept.
  more json,
  -- Of what tells it from all others, whatever its number.
  digest bytea NOT NULL,
  PRIMARY KEY (gateway, epoch, seq)
) PARTITION BY HASH (gateway);

CREATE INDEX record_order ON record (gateway, turn, seq);
CREATE INDEX record_digest ON record (gateway, digest);

-- An event's number whose record came first under another one, and is kept there.
CREATE TABLE alias (
  gateway text NOT NULL,
  epoch text NOT NULL,
  seq bigint NOT NULL,
  PRIMARY KEY (gateway, epoch, seq)
);

-- What the devices measured, a quarter of an hour a row.
CREATE TABLE telemetry (
  gateway text NOT NULL,
  -- When the quarter began.
  from_ms bigint NOT NULL,
  turn integer NOT NULL,
  epoch text NOT NULL,
  seq bigint NOT NULL,
  -- As it came.
  record json NOT NULL,
  PRIMARY KEY (gateway, from_ms)
) PARTITION BY HASH (gateway);

DO $$
BEGIN
  FOR part IN 0..15 LOOP
    EXECUTE format('CREATE TABLE record_%s PARTITION OF record FOR VALUES WITH (MODULUS 16, REMAINDER %s)', part, part);
    EXECUTE format('CREATE TABLE telemetry_%s PARTITION OF telemetry FOR VALUES WITH (MODULUS 16, REMAINDER %s)', part, part);
  END LOOP;
END
$$;

-- Numbers that will never be sent.
CREATE TABLE gap (
  gateway text NOT NULL,
  stream text NOT NULL,
  epoch text NOT NULL,
  from_seq bigint NOT NULL,
  through_seq bigint NOT NULL,
  turn integer NOT NULL,
  reason text NOT NULL,
  from_ms bigint,
  through_ms bigint,
  PRIMARY KEY (gateway, stream, epoch, from_seq)
);

-- The newest state of each thing; one that is gone stays as a tombstone.
CREATE TABLE entity (
  gateway text NOT NULL,
  entity text NOT NULL,
  kind text NOT NULL,
  id text NOT NULL,
  turn integer NOT NULL,
  epoch text NOT NULL,
  seq bigint NOT NULL,
  -- The first record of it that we saw, for the order of lists.
  first_ms bigint NOT NULL,
  at_ms bigint NOT NULL,
  quality text NOT NULL,
  is_deleted boolean NOT NULL,
  payload json NOT NULL,
  PRIMARY KEY (gateway, entity)
);

CREATE INDEX entity_order ON entity (gateway, kind, first_ms DESC, id COLLATE "C") WHERE NOT is_deleted;

-- The newest state of each action, out of the events that tell of it.
CREATE TABLE action (
  gateway text NOT NULL,
  id text NOT NULL,
  target text NOT NULL,
  turn integer NOT NULL,
  seq bigint NOT NULL,
  body json NOT NULL,
  PRIMARY KEY (gateway, id)
);

CREATE TABLE command (
  gateway text NOT NULL,
  id text NOT NULL,
  created_ms bigint NOT NULL,
  expires_ms bigint NOT NULL,
  version text NOT NULL,
  method text NOT NULL,
  path text NOT NULL,
  body json,
  user_id text,
  -- The gateway's answer; null before it came.
  outcome text,
  status integer,
  content_type text,
  answer json,
  detail text,
  answered_ms bigint,
  PRIMARY KEY (gateway, id)
);

CREATE INDEX command_open ON command (gateway, created_ms) WHERE outcome IS NULL;

-- Events' numbers of a range that are neither a record, nor kept under another number, nor in a gap.
CREATE FUNCTION missing_events(of_gateway text, of_epoch text, first bigint, last bigint)
RETURNS TABLE (from_seq bigint, through_seq bigint)
LANGUAGE sql STABLE
AS $$
  WITH covered AS (
    SELECT seq AS low, seq AS high FROM record
      WHERE gateway = of_gateway AND epoch = of_epoch AND seq BETWEEN first AND last
    UNION ALL
    SELECT seq, seq FROM alias
      WHERE gateway = of_gateway AND epoch = of_epoch AND seq BETWEEN first AND last
    UNION ALL
    SELECT greatest(gap.from_seq, first), least(gap.through_seq, last) FROM gap
      WHERE gateway = of_gateway AND stream = 'event' AND epoch = of_epoch
        AND gap.from_seq <= last AND gap.through_seq >= first
    UNION ALL
    SELECT last + 1, last + 1
  ), before AS (
    SELECT low, coalesce(max(high) OVER (ORDER BY low, high ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), first - 1) AS reached
    FROM covered
  )
  SELECT reached + 1, low - 1 FROM before WHERE low > reached + 1 ORDER BY reached;
$$;

-- version 2

-- What each gateway shall be configured with, and what it told of it. The newest revision is the one that is wanted.
CREATE TABLE gateway_configuration (
  gateway text NOT NULL REFERENCES gateway,
  revision bigint NOT NULL,
  settings json NOT NULL,
  -- Passwords of devices may be in it.
  sections json NOT NULL,
  published_ms bigint NOT NULL,
  outcome text,
  reason text,
  errors json,
  outcome_ms bigint,
  PRIMARY KEY (gateway, revision)
);

-- As its latest hello said, and what it told since.
ALTER TABLE gateway ADD COLUMN configuration_seen bigint;
ALTER TABLE gateway ADD COLUMN configuration_in_use bigint;
ALTER TABLE gateway ADD COLUMN configuration_digest text;

-- version 3

-- [{number, id}]: starts of the history that was welcomed last, the newest 256.
ALTER TABLE gateway ADD COLUMN boots json;

-- version 4

-- Of a hole in an epoch that no hello named: where it stands in the turn that told of it, 0 and below. Null: at its numbers.
ALTER TABLE gap ADD COLUMN stands_at bigint;

-- version 5

-- What gateways sent and the contract forbids, as it came.
CREATE TABLE dead_letter (
  gateway text NOT NULL,
  letter_id bigint GENERATED ALWAYS AS IDENTITY,
  -- SHA-256 of the frame: the same one again is counted.
  digest bytea NOT NULL,
  first_ms bigint NOT NULL,
  last_ms bigint NOT NULL,
  times bigint NOT NULL,
  -- Of a frame of which nothing could be taken; null: the records that `refused` names were not, and the others were.
  reason text,
  stream text,
  epoch text,
  -- [{from, through, reason}]
  refused json NOT NULL,
  frame bytea NOT NULL,
  PRIMARY KEY (gateway, letter_id),
  UNIQUE (gateway, digest)
);

-- version 6

-- When it was last given to the broker, or is being given to it; and when the broker had it. Null: not yet.
ALTER TABLE command ADD COLUMN tried_ms bigint;
ALTER TABLE command ADD COLUMN tries integer NOT NULL DEFAULT 0;
ALTER TABLE command ADD COLUMN sent_ms bigint;
CREATE INDEX command_due ON command (expires_ms) WHERE outcome IS NULL;

-- version 7

-- Tokens of the enrolment service, by the SHA-256 of their secret.
CREATE TABLE enrolment_token (
  digest bytea PRIMARY KEY,
  gateway text NOT NULL,
  expires_ms bigint NOT NULL,
  -- Of the key that used it; null: it was not used.
  fingerprint text
);

-- Keys that a gateway may renew its certificate with: without one it ends with its certificate.
CREATE TABLE gateway_key (
  gateway text NOT NULL,
  fingerprint text NOT NULL,
  public_key text NOT NULL,
  PRIMARY KEY (gateway, fingerprint)
);

-- version 8

-- Certificates that the enrolment service issued, until they end.
CREATE TABLE gateway_certificate (
  gateway text NOT NULL,
  -- Hex, as OpenSSL writes it.
  serial text NOT NULL,
  expires_ms bigint NOT NULL,
  -- Null: it holds.
  revoked_ms bigint,
  PRIMARY KEY (gateway, serial)
);

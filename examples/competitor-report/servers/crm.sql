CREATE TABLE accounts (account TEXT PRIMARY KEY, name TEXT, segment TEXT, country TEXT);
CREATE TABLE deals (
  deal TEXT PRIMARY KEY, account TEXT REFERENCES accounts, competitor TEXT, quarter TEXT, outcome TEXT,
  reason TEXT, value_eur INTEGER
);

INSERT INTO accounts VALUES
  ('K-104', 'Brabant Fresh', 'food', 'NL'),
  ('K-117', 'Oderland Mail Order', 'e-commerce', 'DE'),
  ('K-121', 'Kaszub Parts', 'automotive', 'PL'),
  ('K-126', 'Ardenne Pharma', 'pharma', 'BE'),
  ('K-133', 'Skane Textiles', 'e-commerce', 'SE'),
  ('K-138', 'Tauber Bearings', 'automotive', 'DE'),
  ('K-142', 'Lotnisko Cargo', 'logistics', 'PL'),
  ('K-149', 'Veluwe Foods', 'food', 'NL'),
  ('K-155', 'Jutland Toys', 'e-commerce', 'DK'),
  ('K-160', 'Rhone Optics', 'pharma', 'FR'),
  ('K-163', 'Moselle Drinks', 'food', 'LU'),
  ('K-171', 'Havel Electronics', 'e-commerce', 'CZ');

INSERT INTO deals VALUES
  ('D-2310', 'K-104', 'Meridian Kinetics', '2025-Q4', 'won', 'service', 228000),
  ('D-2311', 'K-117', 'Meridian Kinetics', '2025-Q4', 'won', 'safety file', 164000),
  ('D-2312', 'K-121', 'Meridian Kinetics', '2025-Q4', 'won', 'service', 301000),
  ('D-2313', 'K-126', 'Meridian Kinetics', '2025-Q4', 'lost', 'price', 312000),
  ('D-2314', 'K-133', 'Meridian Kinetics', '2026-Q1', 'won', 'service', 143000),
  ('D-2315', 'K-138', 'Meridian Kinetics', '2026-Q1', 'won', 'integration', 228000),
  ('D-2316', 'K-142', 'Meridian Kinetics', '2026-Q1', 'won', 'service', 164000),
  ('D-2317', 'K-149', 'Meridian Kinetics', '2026-Q1', 'lost', 'price', 184000),
  ('D-2318', 'K-155', 'Meridian Kinetics', '2026-Q1', 'lost', 'delivery time', 268000),
  ('D-2319', 'K-160', 'Meridian Kinetics', '2026-Q2', 'won', 'service', 143000),
  ('D-2320', 'K-163', 'Meridian Kinetics', '2026-Q2', 'won', 'integration', 228000),
  ('D-2321', 'K-171', 'Meridian Kinetics', '2026-Q2', 'lost', 'price', 420000),
  ('D-2322', 'K-104', 'Meridian Kinetics', '2026-Q2', 'lost', 'delivery time', 156000),
  ('D-2323', 'K-117', 'Meridian Kinetics', '2026-Q2', 'lost', 'price', 238000),
  ('D-2324', 'K-121', 'Meridian Kinetics', '2026-Q3', 'won', 'service', 143000),
  ('D-2325', 'K-126', 'Meridian Kinetics', '2026-Q3', 'won', 'safety file', 228000),
  ('D-2326', 'K-133', 'Meridian Kinetics', '2026-Q3', 'lost', 'price', 297000),
  ('D-2327', 'K-138', 'Meridian Kinetics', '2026-Q3', 'lost', 'delivery time', 205000),
  ('D-2328', 'K-142', 'Meridian Kinetics', '2026-Q3', 'lost', 'price', 176000),
  ('D-2329', 'K-149', 'Meridian Kinetics', '2026-Q3', 'lost', 'payload', 351000),
  ('D-2330', 'K-155', 'Meridian Kinetics', '2026-Q3', 'lost', 'payload', 142000),
  ('D-2331', 'K-160', 'Nordkran', '2026-Q1', 'won', 'price', 190000),
  ('D-2332', 'K-163', 'Nordkran', '2026-Q2', 'lost', 'payload', 88000),
  ('D-2333', 'K-171', 'Nordkran', '2026-Q3', 'won', 'service', 126000);
